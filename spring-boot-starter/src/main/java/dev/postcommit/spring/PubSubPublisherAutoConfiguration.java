package dev.postcommit.spring;

import com.google.api.gax.core.CredentialsProvider;
import dev.postcommit.layout.Layout;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.PubSubPublisher;
import dev.postcommit.relay.Publisher;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** A publisher to Pub/Sub, if a project is given. */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnClass(PubSubPublisher.class)
@ConditionalOnBean(TransactionalOutbox.class)
@ConditionalOnMissingBean(
    value = Publisher.class,
    ignoredType = "dev.postcommit.kafka.KafkaPublisher")
@ConditionalOnProperty(name = "postcommit.broker", havingValue = "pubsub", matchIfMissing = true)
@Conditional(PubSubPublisherAutoConfiguration.ProjectCondition.class)
class PubSubPublisherAutoConfiguration {
  private static final Duration SHORTEST_DELIVERY = Duration.ofMillis(100);
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(8);

  private static final List<String> PROJECTS =
      List.of(
          "postcommit.pubsub.project",
          "spring.cloud.gcp.pubsub.project-id",
          "spring.cloud.gcp.project-id");

  private static @Nullable String project(Given given) {
    return PROJECTS.stream().map(given::text).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /** Whether somebody said whose Pub/Sub it is. */
  static final class ProjectCondition extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(
        ConditionContext context, AnnotatedTypeMetadata metadata) {
      boolean found = project(new Given(context.getEnvironment())) != null;
      return new ConditionOutcome(
          found,
          ConditionMessage.forCondition("Pub/Sub")
              .because(found ? "its project is known" : "none of " + PROJECTS + " is set"));
    }
  }

  @Bean
  PubSubPublisher pubSubPublisher(
      PostcommitSettings settings,
      Given given,
      Layout layout,
      ObjectProvider<CredentialsProvider> credentials) {
    Duration delivery =
        Values.atLeast(
            "pubsub.delivery-timeout", settings.pubsub().deliveryTimeout(), SHORTEST_DELIVERY);
    try {
      return PubSubPublisher.builder(connection(settings, given, credentials))
          .topics(Messages.route(settings, layout).topics().toArray(String[]::new))
          .deliveryTimeout(delivery)
          .requestTimeout(delivery.compareTo(LONGEST_REQUEST) < 0 ? delivery : LONGEST_REQUEST)
          .build();
    } catch (IllegalArgumentException e) {
      throw new SetupException(
          "the publisher to Pub/Sub cannot be made: " + e.getMessage(),
          "change the settings that begin with postcommit.pubsub or spring.cloud.gcp");
    }
  }

  private static PubSubConnection connection(
      PostcommitSettings settings, Given given, ObjectProvider<CredentialsProvider> credentials) {
    PubSubConnection connection = PubSubConnection.of(String.valueOf(project(given)));
    @Nullable CredentialsProvider provider = credentials.getIfUnique();
    if (provider != null) {
      connection = connection.credentials(provider);
    }
    if (settings.pubsub().endpoint() != null) {
      connection = connection.endpoint(settings.pubsub().endpoint());
    }
    @Nullable String emulator = given.text("spring.cloud.gcp.pubsub.emulator-host");
    return emulator == null || emulator.isBlank() ? connection : connection.emulator(emulator);
  }
}
