package dev.postcommit.spring;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.settings.Modules;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Creates the outbox table when the application starts, if so configured. */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnBean(TransactionalOutbox.class)
@ConditionalOnBooleanProperty("postcommit.migrate")
public class MigrationAutoConfiguration {

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(OutboxMigration.class)
  static class WithFlyway {
    @Bean
    TableInitializer postcommitTableInitializer(OutboxDataSource dataSource, Layout layout) {
      return new TableInitializer(
          () -> OutboxMigration.migrate(dataSource.dataSource(), layout), layout.table());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingClass("dev.postcommit.flyway.OutboxMigration")
  static class WithoutFlyway {
    @Bean
    TableInitializer postcommitTableInitializer() {
      throw Modules.missing("postcommit-flyway", "postcommit.migrate is true");
    }
  }
}
