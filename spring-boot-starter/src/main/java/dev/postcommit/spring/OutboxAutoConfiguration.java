package dev.postcommit.spring;

import dev.postcommit.Outbox;
import dev.postcommit.layout.Layout;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The outbox of an application with a data source. */
@AutoConfiguration(after = DataSourceAutoConfiguration.class)
@ConditionalOnBean(DataSource.class)
@ConditionalOnMissingBean(SpringOutbox.class)
@ConditionalOnBooleanProperty(
    name = RecordingOutboxAutoConfiguration.PROPERTY,
    havingValue = false,
    matchIfMissing = true)
@Import({LayoutConfiguration.class, CommitWatchConfiguration.class})
class OutboxAutoConfiguration {

  /** What is to be put around every outbox. */
  @FunctionalInterface
  interface OutboxWrapper extends UnaryOperator<Outbox> {}

  @Bean
  OutboxDataSource postcommitDataSource(PostcommitSettings settings, ListableBeanFactory beans) {
    return OutboxDataSource.of(settings.dataSource(), beans);
  }

  @Bean
  @ConditionalOnMissingBean
  Outbox postcommitOutbox(Layout layout, PostcommitSettings settings, ListableBeanFactory beans) {
    Outbox.Builder outbox = Outbox.builder(layout);
    if (!RecordedTopics.areKafkas(settings, layout, beans)) {
      outbox.withoutTopicCheck();
    }
    return outbox.build();
  }

  /** The relay comes later, if at all: it waits for migrations, and services need not. */
  @Bean
  WakeUp postcommitWakeUp() {
    return new WakeUp();
  }

  @Bean
  TransactionalOutbox springOutbox(
      OutboxDataSource dataSource,
      Outbox outbox,
      ObjectProvider<OutboxWrapper> wrappers,
      WakeUp wakeUp,
      ListableBeanFactory beans,
      Given given) {
    if (!beans.containsBean(LayoutConfiguration.BEAN)) {
      for (String name : List.of("layout", "layout-file", "table", "dead-rows", "on-delivery")) {
        given.refuse(name, "there is a bean that is a Layout", "leave one of them out");
      }
    }
    Outbox wrapped = outbox;
    for (OutboxWrapper wrapper : wrappers) {
      wrapped = wrapper.apply(wrapped);
    }
    return new TransactionalOutbox(dataSource.dataSource(), wrapped, wakeUp);
  }

  @Bean
  @DependsOnDatabaseInitialization
  TableCheck postcommitTableCheck(
      OutboxDataSource dataSource, Layout layout, ObjectProvider<RelayLifecycle> relay) {
    return new TableCheck(dataSource.dataSource(), layout, relay);
  }
}
