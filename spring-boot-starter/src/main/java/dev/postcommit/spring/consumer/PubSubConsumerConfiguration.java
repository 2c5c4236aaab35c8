package dev.postcommit.spring.consumer;

import com.google.api.gax.core.CredentialsProvider;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.consumer.PubSubEventConsumer;
import dev.postcommit.settings.ConsumerSettings;
import dev.postcommit.settings.RelaySettings;
import dev.postcommit.settings.SettingException;
import dev.postcommit.spring.relay.SpringPubSub;
import dev.postcommit.spring.settings.SpringSettings;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** Reads subscriptions of Pub/Sub, if settings name some and a project is given. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(PubSubEventConsumer.class)
@Conditional({SourceCondition.Subscriptions.class, SpringPubSub.Project.class})
class PubSubConsumerConfiguration {

  @Bean
  ConsumerBroker postcommitPubSubSource(
      SpringSettings settings, ObjectProvider<CredentialsProvider> credentials) {
    settings.refuse(ConsumerSettings.ORDER, "messages of Pub/Sub are in order by key");
    PubSubConnection connection = SpringPubSub.connection(settings, credentials.getIfUnique());
    return new ConsumerBroker(
        "gcp_pubsub",
        consumer ->
            settings.get(ConsumerSettings.SUBSCRIPTIONS).stream()
                .map(subscription -> reader(settings, connection, subscription, consumer))
                .toList());
  }

  private static PubSubEventConsumer reader(
      SpringSettings settings,
      PubSubConnection connection,
      String subscription,
      EventConsumer consumer) {
    try {
      return PubSubEventConsumer.builder(consumer, connection)
          .subscription(subscription)
          .threads(settings.get(ConsumerSettings.THREADS))
          .closeTimeout(settings.get(RelaySettings.DRAIN_TIMEOUT))
          .build();
    } catch (IllegalArgumentException e) {
      throw new SettingException(
          settings.name(ConsumerSettings.SUBSCRIPTIONS) + ": " + e.getMessage());
    }
  }
}
