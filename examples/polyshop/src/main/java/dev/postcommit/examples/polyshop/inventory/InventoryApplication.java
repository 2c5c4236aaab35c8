package dev.postcommit.examples.polyshop.inventory;

import dev.postcommit.examples.polyshop.common.ConsumerConfiguration;
import dev.postcommit.examples.polyshop.common.OutboxConfiguration;
import dev.postcommit.examples.polyshop.common.ServiceProcess;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** The process of inventory-service. */
@SpringBootApplication(proxyBeanMethods = false)
@Import({ConsumerConfiguration.class, OutboxConfiguration.class})
public class InventoryApplication {

  /** Runs the service until it is told to end. */
  public static void main(String[] args) {
    ServiceProcess.runWithHttp(InventoryApplication.class, args);
  }
}
