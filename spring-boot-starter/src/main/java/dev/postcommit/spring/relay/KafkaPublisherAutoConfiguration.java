package dev.postcommit.spring.relay;

import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.TransactionalPublisher;
import dev.postcommit.settings.ConfiguredKafka;
import dev.postcommit.spring.OutboxAutoConfiguration;
import dev.postcommit.spring.OutboxDataSource;
import dev.postcommit.spring.settings.SpringSettings;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.ProducerFactory;

/** A publisher to Kafka, if an address is given. */
@AutoConfiguration(
    // After Pub/Sub, which would take this publisher for one of the application's own.
    after = {OutboxAutoConfiguration.class, PubSubPublisherAutoConfiguration.class},
    afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@ConditionalOnClass(KafkaPublisher.class)
@ConditionalOnBean(OutboxDataSource.class)
@ConditionalOnMissingBean(
    value = Publisher.class,
    ignoredType = "dev.postcommit.pubsub.PubSubPublisher")
@ConditionalOnProperty(name = "postcommit.broker", havingValue = "kafka", matchIfMissing = true)
@Conditional(KafkaCondition.class)
public class KafkaPublisherAutoConfiguration {
  static final String TRANSACTIONAL_BEAN = "kafkaTransactionalPublisher";

  /**
   * How the application itself connects to Kafka.
   *
   * @param properties those of connections, not those of sending
   */
  record KafkaConnection(Map<String, Object> properties) {}

  /** The connection that Spring configured from {@code spring.kafka} and service connections. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ProducerFactory.class)
  static class SpringKafka {
    @Bean
    KafkaConnection postcommitKafkaConnection(
        ObjectProvider<ProducerFactory<?, ?>> factories, SpringSettings settings) {
      Map<String, Object> properties = new HashMap<>();
      KafkaFactories.only(factories, settings, "ProducerFactory")
          .ifPresent(factory -> properties.putAll(factory.getConfigurationProperties()));
      // How the application's own producer sends does not apply to the relay.
      properties
          .keySet()
          .removeIf(
              name ->
                  ProducerConfig.configNames().contains(name)
                      && !AdminClientConfig.configNames().contains(name));
      properties.remove(ProducerConfig.RETRIES_CONFIG);
      properties.remove(ProducerConfig.CLIENT_ID_CONFIG);
      return new KafkaConnection(properties);
    }
  }

  @Bean(TRANSACTIONAL_BEAN)
  @ConditionalOnProperty("postcommit.kafka.transactional-id")
  TransactionalPublisher kafkaTransactionalPublisher(
      SpringSettings settings, ObjectProvider<KafkaConnection> connection) {
    return ConfiguredKafka.transactionalPublisher(settings, properties(settings, connection));
  }

  @Bean
  @ConditionalOnMissingBean(TransactionalPublisher.class)
  KafkaPublisher kafkaPublisher(
      SpringSettings settings, ObjectProvider<KafkaConnection> connection) {
    return ConfiguredKafka.plainPublisher(settings, properties(settings, connection));
  }

  private static Map<String, Object> properties(
      SpringSettings settings, ObjectProvider<KafkaConnection> connection) {
    Map<String, Object> properties = new HashMap<>();
    connection.ifAvailable(spring -> properties.putAll(spring.properties()));
    properties.computeIfAbsent(
        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
        name -> KafkaFactories.addresses(settings, "producer"));
    return ConfiguredKafka.properties(settings, properties, settings.kafkaConfig());
  }
}
