package dev.postcommit.examples.polyshop.auth;

import dev.postcommit.examples.polyshop.common.OutboxConfiguration;
import dev.postcommit.examples.polyshop.common.ServiceProcess;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** The process of auth-service. */
@SpringBootApplication(proxyBeanMethods = false)
@Import({OutboxConfiguration.class})
public class AuthApplication {

  /** Runs the service until it is told to end. */
  public static void main(String[] args) {
    ServiceProcess.runWithHttp(AuthApplication.class, args);
  }
}
