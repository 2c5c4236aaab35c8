package dev.postcommit.examples.polyshop.analytics;

import dev.postcommit.examples.polyshop.common.ConsumerConfiguration;
import dev.postcommit.examples.polyshop.common.ServiceProcess;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** The process of analytics-service. */
@SpringBootApplication(proxyBeanMethods = false)
@Import({ConsumerConfiguration.class})
public class AnalyticsApplication {

  /** Runs the service until it is told to end. */
  public static void main(String[] args) {
    ServiceProcess.run(AnalyticsApplication.class, args);
  }
}
