package dev.postcommit.spring;

import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.TransactionalPublisher;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
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
    // After Pub/Sub, which is not to take this publisher for one of the application's own.
    after = {OutboxAutoConfiguration.class, PubSubPublisherAutoConfiguration.class},
    afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@ConditionalOnClass(KafkaPublisher.class)
@ConditionalOnBean(TransactionalOutbox.class)
@ConditionalOnMissingBean(
    value = Publisher.class,
    ignoredType = "dev.postcommit.pubsub.PubSubPublisher")
@ConditionalOnProperty(name = "postcommit.broker", havingValue = "kafka", matchIfMissing = true)
@Conditional(KafkaCondition.class)
class KafkaPublisherAutoConfiguration {
  static final String TRANSACTIONAL_BEAN = "kafkaTransactionalPublisher";

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

  @Bean(TRANSACTIONAL_BEAN)
  @ConditionalOnProperty("postcommit.kafka.transactional-id")
  TransactionalPublisher kafkaTransactionalPublisher(
      PostcommitSettings settings, Given given, ObjectProvider<KafkaConnection> connection) {
    String id = String.valueOf(settings.kafka().transactionalId());
    if (id.isBlank()) {
      throw Given.invalid("kafka.transactional-id", id, "it is blank; leave it out");
    }
    return made(settings, given, connection, builder -> builder.buildTransactional(id));
  }

  @Bean
  @ConditionalOnMissingBean(TransactionalPublisher.class)
  KafkaPublisher kafkaPublisher(
      PostcommitSettings settings, Given given, ObjectProvider<KafkaConnection> connection) {
    return made(settings, given, connection, KafkaPublisher.Builder::build);
  }

  private static <P extends Publisher> P made(
      PostcommitSettings settings,
      Given given,
      ObjectProvider<KafkaConnection> connection,
      Function<KafkaPublisher.Builder, P> build) {
    Map<String, Object> properties = properties(settings, given, connection);
    try {
      return build.apply(KafkaPublisher.builder().properties(properties));
    } catch (IllegalArgumentException e) {
      throw new SetupException(
          "the publisher to Kafka cannot be made: " + e.getMessage(),
          "change the settings that begin with postcommit.kafka or spring.kafka");
    }
  }

  private static Map<String, Object> properties(
      PostcommitSettings settings, Given given, ObjectProvider<KafkaConnection> connection) {
    Map<String, Object> properties = new HashMap<>();
    connection.ifAvailable(spring -> properties.putAll(spring.properties()));
    if (settings.kafka().bootstrapServers() != null) {
      properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.kafka().bootstrapServers());
    } else if (!properties.containsKey(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
      properties.put(
          ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, given.texts("spring.kafka.bootstrap-servers"));
    }
    refuse(settings, ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "bootstrap-servers");
    refuse(settings, ProducerConfig.TRANSACTIONAL_ID_CONFIG, "transactional-id");
    properties.putAll(settings.kafka().config());
    return properties;
  }

  /** Refuses a property of Kafka's for which there is a setting. */
  private static void refuse(PostcommitSettings settings, String property, String setting) {
    if (settings.kafka().config().containsKey(property)) {
      throw Given.invalid("kafka.config", property, "set postcommit.kafka." + setting + " instead");
    }
  }
}
