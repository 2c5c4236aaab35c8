package dev.postcommit.spring.relay;

import com.google.api.gax.core.CredentialsProvider;
import dev.postcommit.layout.Layout;
import dev.postcommit.pubsub.PubSubPublisher;
import dev.postcommit.relay.Publisher;
import dev.postcommit.settings.ConfiguredMessages;
import dev.postcommit.settings.ConfiguredPubSub;
import dev.postcommit.spring.OutboxAutoConfiguration;
import dev.postcommit.spring.OutboxDataSource;
import dev.postcommit.spring.settings.SpringSettings;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** A publisher to Pub/Sub, if a project is given. */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnClass(PubSubPublisher.class)
@ConditionalOnBean(OutboxDataSource.class)
@ConditionalOnMissingBean(
    value = Publisher.class,
    ignoredType = "dev.postcommit.kafka.KafkaPublisher")
@ConditionalOnProperty(name = "postcommit.broker", havingValue = "pubsub", matchIfMissing = true)
@Conditional(SpringPubSub.Project.class)
public class PubSubPublisherAutoConfiguration {
  @Bean
  PubSubPublisher pubSubPublisher(
      SpringSettings settings, Layout layout, ObjectProvider<CredentialsProvider> credentials) {
    return ConfiguredPubSub.publisher(
        settings,
        SpringPubSub.connection(settings, credentials.getIfUnique()),
        ConfiguredMessages.route(settings, layout).topics());
  }
}
