package dev.postcommit.examples.polyshop.search;

import dev.postcommit.examples.polyshop.common.ConsumerConfiguration;
import dev.postcommit.examples.polyshop.common.ServiceProcess;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** The process of search-service. */
@SpringBootApplication(proxyBeanMethods = false)
@Import({ConsumerConfiguration.class})
public class SearchApplication {

  /** Runs the service until it is told to end. */
  public static void main(String[] args) {
    ServiceProcess.run(SearchApplication.class, args);
  }
}
