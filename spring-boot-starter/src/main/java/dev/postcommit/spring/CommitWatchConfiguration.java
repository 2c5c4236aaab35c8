package dev.postcommit.spring;

import dev.postcommit.spring.internal.CommitWatch;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.ConfigurableTransactionManager;

/** Has every transaction of the application watched, so that its outbox knows when it is over. */
@Configuration(proxyBeanMethods = false)
public class CommitWatchConfiguration {

  /** Managers of the application's own are to be watched just like those of Spring Boot. */
  @Bean
  static SmartInitializingSingleton postcommitCommitWatch(
      ObjectProvider<ConfigurableTransactionManager> managers) {
    return () -> managers.forEach(manager -> manager.addListener(CommitWatch.EVERY_TRANSACTION));
  }
}
