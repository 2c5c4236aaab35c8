package dev.postcommit.spring;

import dev.postcommit.spring.internal.CommitWatch;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.ConfigurableTransactionManager;

/** Watches every transaction of the application, so that the outbox knows when it is over. */
@Configuration(proxyBeanMethods = false)
public class CommitWatchConfiguration {

  /** Transaction managers that the application defines are watched too. */
  @Bean
  static SmartInitializingSingleton postcommitCommitWatch(
      ObjectProvider<ConfigurableTransactionManager> managers) {
    return () -> managers.forEach(manager -> manager.addListener(CommitWatch.EVERY_TRANSACTION));
  }
}
