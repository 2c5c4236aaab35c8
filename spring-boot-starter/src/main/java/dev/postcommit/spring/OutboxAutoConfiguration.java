package dev.postcommit.spring;

import dev.postcommit.Outbox;
import dev.postcommit.PayloadSerializer;
import dev.postcommit.layout.Layout;
import dev.postcommit.settings.TableSettings;
import dev.postcommit.spring.settings.SpringSettings;
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
@AutoConfiguration(after = {DataSourceAutoConfiguration.class, PayloadAutoConfiguration.class})
@ConditionalOnBean(DataSource.class)
@ConditionalOnMissingBean(SpringOutbox.class)
@ConditionalOnBooleanProperty(
    name = OutboxAutoConfiguration.RECORDING,
    havingValue = false,
    matchIfMissing = true)
@Import(SharedConfiguration.class)
public class OutboxAutoConfiguration {

  /** The property of a test that has a recording outbox instead. */
  public static final String RECORDING = "spring.test.postcommit.recording";

  /** Wraps every outbox. */
  @FunctionalInterface
  public interface OutboxWrapper extends UnaryOperator<Outbox> {}

  @Bean
  OutboxDataSource postcommitDataSource(SpringSettings settings, ListableBeanFactory beans) {
    return OutboxDataSource.of(settings, beans);
  }

  @Bean
  @ConditionalOnMissingBean
  Outbox postcommitOutbox(
      Layout layout,
      SpringSettings settings,
      ListableBeanFactory beans,
      ObjectProvider<PayloadSerializer> serializer) {
    Outbox.Builder outbox = Outbox.builder(layout);
    serializer.ifAvailable(outbox::payloadSerializer);
    if (!RecordedTopics.areKafkas(settings, layout, beans)) {
      outbox.withoutTopicCheck();
    }
    return outbox.build();
  }

  /** Separate from the relay, which starts after the migrations, if at all. */
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
      SpringSettings settings) {
    if (!beans.containsBean(SharedConfiguration.LAYOUT)) {
      TableSettings.ALL.forEach(
          setting -> settings.refuse(setting, "there is a bean of type Layout"));
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
      OutboxDataSource dataSource, Layout layout, ObjectProvider<TableRequirement> requirements) {
    return new TableCheck(dataSource.dataSource(), layout, requirements);
  }
}
