package dev.postcommit.examples.polyshop.product;

import dev.postcommit.examples.polyshop.common.OutboxConfiguration;
import dev.postcommit.examples.polyshop.common.ServiceProcess;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** The process of product-service. */
@SpringBootApplication(proxyBeanMethods = false)
@Import({OutboxConfiguration.class})
public class ProductApplication {

  /** Runs the service until it is told to end. */
  public static void main(String[] args) {
    ServiceProcess.runWithHttp(ProductApplication.class, args);
  }
}
