package dev.postcommit.spring.relay;

import com.google.api.gax.core.CredentialsProvider;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.settings.ConfiguredPubSub;
import dev.postcommit.spring.settings.SpringSettings;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** How an application reaches Pub/Sub: by settings of Postcommit, or else those of Spring. */
public final class SpringPubSub {
  private SpringPubSub() {}

  /** A connection, which is used when something is sent or read. */
  public static PubSubConnection connection(
      SpringSettings settings, @Nullable CredentialsProvider credentials) {
    return ConfiguredPubSub.connection(
        settings,
        String.valueOf(Project.of(settings)),
        connection -> complete(connection, settings, credentials));
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

  /** Whether the project is known. */
  public static final class Project extends SpringBootCondition {
    private static final List<String> NAMES =
        List.of(
            "postcommit.pubsub.project",
            "spring.cloud.gcp.pubsub.project-id",
            "spring.cloud.gcp.project-id");

    static @Nullable String of(SpringSettings settings) {
      return NAMES.stream().map(settings::text).filter(Objects::nonNull).findFirst().orElse(null);
    }

    @Override
    public ConditionOutcome getMatchOutcome(
        ConditionContext context, AnnotatedTypeMetadata metadata) {
      boolean found = of(new SpringSettings(context.getEnvironment())) != null;
      return new ConditionOutcome(
          found,
          ConditionMessage.forCondition("Pub/Sub")
              .because(found ? "its project is known" : "none of " + NAMES + " is set"));
    }
  }
}
