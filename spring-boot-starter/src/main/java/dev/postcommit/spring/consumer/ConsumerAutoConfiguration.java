package dev.postcommit.spring.consumer;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.settings.ConsumerSettings;
import dev.postcommit.settings.Modules;
import dev.postcommit.spring.OutboxAutoConfiguration;
import dev.postcommit.spring.PayloadAutoConfiguration;
import dev.postcommit.spring.settings.SetupException;
import dev.postcommit.spring.settings.SpringSettings;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** The consumer of an application with event handlers. */
@AutoConfiguration(
    after = {OutboxAutoConfiguration.class, PayloadAutoConfiguration.class},
    afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@ConditionalOnBooleanProperty(
    name = OutboxAutoConfiguration.RECORDING,
    havingValue = false,
    matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "postcommit.consumer.enabled", matchIfMissing = true)
public class ConsumerAutoConfiguration {

  /** Settings say what to consume, and no parent context does. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(SourceCondition.class)
  @ConditionalOnClass(EventConsumer.class)
  @ConditionalOnMissingBean(ConsumerLifecycle.class)
  @Import({
    KafkaConsumerConfiguration.class,
    PubSubConsumerConfiguration.class,
    RedisClientConfiguration.class,
    InboxMigrationConfiguration.class
  })
  static class WithSource {

    /** An application without an outbox has no settings yet. */
    @Bean
    @ConditionalOnMissingBean
    SpringSettings postcommitConsumerSettings(Environment environment) {
      return SpringSettings.checked(environment);
    }

    @Bean
    ConsumerGroup postcommitConsumerGroup(SpringSettings settings) {
      return ConsumerGroup.of(settings);
    }

    @Bean
    ConsumerStatus postcommitConsumerStatus() {
      return new ConsumerStatus();
    }

    @Bean
    @DependsOnDatabaseInitialization
    ConsumerLifecycle postcommitConsumer(
        SpringSettings settings,
        ConsumerGroup group,
        ConsumerStatus status,
        ObjectProvider<ConsumerBroker> brokers,
        ConfigurableListableBeanFactory beans) {
      return new ConsumerLifecycle(
          new ConfiguredConsumer(settings, beans, group, status), only(brokers, settings));
    }

    private static ConsumerBroker only(
        ObjectProvider<ConsumerBroker> brokers, SpringSettings settings) {
      List<ConsumerBroker> found = brokers.stream().toList();
      if (found.size() > 1) {
        settings.refuse(
            ConsumerSettings.SUBSCRIPTIONS,
            ConsumerSettings.TOPICS.property() + " is set too, and a consumer has one broker");
      }
      if (found.isEmpty()) {
        throw new SetupException(
            "settings say what to consume, and it is unclear from where",
            "for topics add the dependency dev.postcommit:postcommit-kafka and set"
                + " spring.kafka.bootstrap-servers, for subscriptions add"
                + " dev.postcommit:postcommit-pubsub and set postcommit.pubsub.project");
      }
      return found.get(0);
    }
  }

  /** If a parent context consumes, event handlers of its children would never be called. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(SourceCondition.class)
  @ConditionalOnClass(EventConsumer.class)
  static class InParent {
    @Bean
    SmartInitializingSingleton postcommitEventHandlers(ConfigurableListableBeanFactory beans) {
      return () -> {
        if (beans.getBeanNamesForType(ConsumerLifecycle.class).length == 0) {
          HandlerScan.scan(beans).stream()
              .findFirst()
              .ifPresent(
                  marked -> {
                    throw HandlerScan.refused(
                        marked,
                        "is never called, because the consumer belongs to a parent context",
                        "move the bean to the parent context");
                  });
        }
      };
    }
  }

  /** Settings say what to consume, and nothing can. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(SourceCondition.class)
  @ConditionalOnMissingClass("dev.postcommit.consumer.EventConsumer")
  static class WithoutModule {
    @Bean
    SmartInitializingSingleton postcommitConsumer() {
      throw Modules.missing("postcommit-consumer", "settings say what to consume");
    }
  }

  /** Nothing is to be consumed. */
  static final class NoSource extends NoneNestedConditions {
    NoSource() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @Conditional(SourceCondition.class)
    static class Source {}
  }

  /** Event handlers that would never be called are refused. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(NoSource.class)
  static class WithoutSource {
    @Bean
    SmartInitializingSingleton postcommitEventHandlers(ConfigurableListableBeanFactory beans) {
      return () ->
          HandlerScan.scan(beans).stream()
              .findFirst()
              .ifPresent(
                  marked -> {
                    throw HandlerScan.refused(
                        marked,
                        "is never called, because no setting says what to consume",
                        ("set %s; an event's topic is its type (%s) unless its writer says otherwise;"
                                + " for Pub/Sub set %s, and for an instance that does not consume"
                                + " %s=false")
                            .formatted(
                                ConsumerSettings.TOPICS.property(),
                                marked.type(),
                                ConsumerSettings.SUBSCRIPTIONS.property(),
                                ConsumerSettings.ENABLED.property()));
                  });
    }
  }
}
