package dev.postcommit.spring.consumer;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.kafka.consumer.ConsumerOrder;
import dev.postcommit.kafka.consumer.KafkaEventConsumer;
import dev.postcommit.settings.ConfiguredKafka;
import dev.postcommit.settings.ConsumerSettings;
import dev.postcommit.settings.RelaySettings;
import dev.postcommit.spring.relay.KafkaCondition;
import dev.postcommit.spring.relay.KafkaFactories;
import dev.postcommit.spring.settings.SpringSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.ConsumerFactory;

/** Reads topics of Kafka, if settings name some and an address is known. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({KafkaEventConsumer.class, ConsumerConfig.class})
@Conditional({SourceCondition.Topics.class, KafkaConsumerConfiguration.Address.class})
class KafkaConsumerConfiguration {

  /** What the consumer decides itself, or settings of Postcommit say. */
  private static final Set<String> OWN =
      Set.of(
          ConsumerConfig.GROUP_ID_CONFIG,
          ConsumerConfig.CLIENT_ID_CONFIG,
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
          ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
          ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);

  /** Whether Kafka's address is known. */
  static final class Address extends KafkaCondition {
    Address() {
      super("consumer");
    }
  }

  /**
   * How the application's own consumers connect to Kafka and read from it.
   *
   * @param properties all but those that the consumer decides itself
   */
  record KafkaReading(Map<String, Object> properties) {}

  /** What Spring configured from {@code spring.kafka} and service connections. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ConsumerFactory.class)
  static class SpringKafka {
    @Bean
    KafkaReading postcommitKafkaReading(
        ObjectProvider<ConsumerFactory<?, ?>> factories, SpringSettings settings) {
      Map<String, Object> properties = new HashMap<>();
      KafkaFactories.only(factories, settings, "ConsumerFactory")
          .ifPresent(factory -> properties.putAll(factory.getConfigurationProperties()));
      properties.keySet().removeAll(OWN);
      return new KafkaReading(properties);
    }
  }

  @Bean
  ConsumerBroker postcommitKafkaSource(
      SpringSettings settings, ConsumerGroup group, ObjectProvider<KafkaReading> reading) {
    Map<String, Object> properties = new HashMap<>();
    reading.ifAvailable(spring -> properties.putAll(spring.properties()));
    properties.computeIfAbsent(
        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
        name -> KafkaFactories.addresses(settings, "consumer"));
    Map<String, Object> all =
        ConfiguredKafka.properties(settings, properties, settings.kafkaConfig());
    return new ConsumerBroker("kafka", consumer -> List.of(reader(settings, group, all, consumer)));
  }

  private static KafkaEventConsumer reader(
      SpringSettings settings,
      ConsumerGroup group,
      Map<String, Object> properties,
      EventConsumer consumer) {
    try {
      return KafkaEventConsumer.builder(consumer)
          .properties(properties)
          .topics(settings.get(ConsumerSettings.TOPICS))
          .group(group.name())
          .threads(settings.get(ConsumerSettings.THREADS))
          .order(
              ConsumerOrder.valueOf(settings.get(ConsumerSettings.ORDER).toUpperCase(Locale.ROOT)))
          .closeTimeout(settings.get(RelaySettings.DRAIN_TIMEOUT))
          .build();
    } catch (IllegalArgumentException e) {
      throw ConfiguredKafka.refused(settings, e);
    }
  }
}
