package dev.postcommit.spring.consumer;

import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.layout.TableName;
import dev.postcommit.settings.ConsumerSettings;
import dev.postcommit.settings.Modules;
import dev.postcommit.spring.OutboxDataSource;
import dev.postcommit.spring.TableInitializer;
import dev.postcommit.spring.settings.SpringSettings;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Creates the table of the inbox when the application starts, if so configured. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("postcommit.migrate")
@ConditionalOnProperty(
    name = "postcommit.consumer.inbox",
    havingValue = "postgres",
    matchIfMissing = true)
class InboxMigrationConfiguration {

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(InboxMigration.class)
  static class WithFlyway {
    @Bean
    TableInitializer postcommitInboxInitializer(
        SpringSettings settings, ListableBeanFactory beans) {
      TableName table = settings.get(ConsumerSettings.INBOX_TABLE);
      DataSource dataSource = OutboxDataSource.of(settings, beans).dataSource();
      return new TableInitializer(() -> InboxMigration.migrate(dataSource, table), table);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingClass("dev.postcommit.flyway.InboxMigration")
  static class WithoutFlyway {
    @Bean
    TableInitializer postcommitInboxInitializer() {
      throw Modules.missing("postcommit-flyway", "postcommit.migrate is true");
    }
  }
}
