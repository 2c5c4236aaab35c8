package dev.postcommit.spring;

import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.relay.Publisher;
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
    after = OutboxAutoConfiguration.class,
    afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@ConditionalOnClass(KafkaPublisher.class)
@ConditionalOnBean(TransactionalOutbox.class)
@ConditionalOnMissingBean(
    value = Publisher.class,
    ignoredType = "dev.postcommit.pubsub.PubSubPublisher")
@ConditionalOnProperty(name = "postcommit.broker", havingValue = "kafka", matchIfMissing = true)
@Conditional(KafkaCondition.class)
class KafkaPublisherAutoConfiguration {

  /**
   * How the application reaches Kafka otherwise.
   *
   * @param properties those of connections alone
   */
  record KafkaConnection(Map<String, Object> properties) {}

  /** What Spring has made of {@code spring.kafka}, of SSL bundles and service connections. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ProducerFactory.class)
  static class SpringKafka {
    @Bean
    KafkaConnection postcommitKafkaConnection(ObjectProvider<ProducerFactory<?, ?>> factories) {
      Map<String, Object> properties = new HashMap<>();
      factories.ifUnique(factory -> properties.putAll(factory.getConfigurationProperties()));
      // What the application's own producer is told about sending is no business of the relay.
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

  @Bean
  KafkaPublisher kafkaPublisher(
      PostcommitSettings settings, Given given, ObjectProvider<KafkaConnection> connection) {
    Map<String, Object> properties = new HashMap<>();
    connection.ifAvailable(spring -> properties.putAll(spring.properties()));
    if (settings.kafka().bootstrapServers() != null) {
      properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.kafka().bootstrapServers());
    } else if (!properties.containsKey(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
      properties.put(
          ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, given.texts("spring.kafka.bootstrap-servers"));
    }
    if (settings.kafka().config().containsKey(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
      throw Given.invalid(
          "kafka.config",
          ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
          "set postcommit.kafka.bootstrap-servers instead");
    }
    properties.putAll(settings.kafka().config());
    try {
      return KafkaPublisher.builder().properties(properties).build();
    } catch (IllegalArgumentException e) {
      throw new SetupException(
          "the publisher to Kafka cannot be made: " + e.getMessage(),
          "change the settings that begin with postcommit.kafka or spring.kafka");
    }
  }
}
