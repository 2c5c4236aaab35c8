package dev.postcommit.spring.relay;

import com.google.api.gax.core.CredentialsProvider;
import dev.postcommit.layout.Layout;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.PubSubPublisher;
import dev.postcommit.relay.Publisher;
import dev.postcommit.settings.ConfiguredMessages;
import dev.postcommit.settings.ConfiguredPubSub;
import dev.postcommit.spring.OutboxAutoConfiguration;
import dev.postcommit.spring.OutboxDataSource;
import dev.postcommit.spring.settings.SpringSettings;
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
@ConditionalOnBean(OutboxDataSource.class)
@ConditionalOnMissingBean(
    value = Publisher.class,
    ignoredType = "dev.postcommit.kafka.KafkaPublisher")
@ConditionalOnProperty(name = "postcommit.broker", havingValue = "pubsub", matchIfMissing = true)
@Conditional(PubSubPublisherAutoConfiguration.ProjectCondition.class)
public class PubSubPublisherAutoConfiguration {
  private static final List<String> PROJECTS =
      List.of(
          "postcommit.pubsub.project",
          "spring.cloud.gcp.pubsub.project-id",
          "spring.cloud.gcp.project-id");

  private static @Nullable String project(SpringSettings settings) {
    return PROJECTS.stream().map(settings::text).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /** Whether the project is known. */
  static final class ProjectCondition extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(
        ConditionContext context, AnnotatedTypeMetadata metadata) {
      boolean found = project(new SpringSettings(context.getEnvironment())) != null;
      return new ConditionOutcome(
          found,
          ConditionMessage.forCondition("Pub/Sub")
              .because(found ? "its project is known" : "none of " + PROJECTS + " is set"));
    }
  }

  @Bean
  PubSubPublisher pubSubPublisher(
      SpringSettings settings, Layout layout, ObjectProvider<CredentialsProvider> credentials) {
    return ConfiguredPubSub.publisher(
        settings,
        ConfiguredPubSub.connection(
            settings,
            String.valueOf(project(settings)),
            connection -> complete(connection, settings, credentials.getIfUnique())),
        ConfiguredMessages.route(settings, layout).topics());
  }

  private static PubSubConnection complete(
      PubSubConnection connection,
      SpringSettings settings,
      @Nullable CredentialsProvider credentials) {
    PubSubConnection complete =
        credentials == null ? connection : connection.credentials(credentials);
    @Nullable String emulator = settings.text("spring.cloud.gcp.pubsub.emulator-host");
    return emulator == null || emulator.isBlank() ? complete : complete.emulator(emulator);
  }
}
