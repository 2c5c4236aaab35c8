package dev.postcommit.spring.relay;

import dev.postcommit.spring.settings.SpringSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/**
 * Whether Kafka's address is known from a setting or a service connection. Spring Boot's default of
 * localhost does not count.
 */
public class KafkaCondition extends SpringBootCondition implements ConfigurationCondition {
  private final List<String> addresses;

  /** The address for a publisher. */
  public KafkaCondition() {
    this("producer");
  }

  /** The address for a client as Spring Boot names it. */
  protected KafkaCondition(String client) {
    addresses =
        List.of(
            "postcommit.kafka.bootstrap-servers",
            "spring.kafka.bootstrap-servers",
            "spring.kafka." + client + ".bootstrap-servers");
  }

  @Override
  public ConfigurationPhase getConfigurationPhase() {
    return ConfigurationPhase.REGISTER_BEAN;
  }

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    SpringSettings settings = new SpringSettings(context.getEnvironment());
    boolean found =
        addresses.stream().anyMatch(address -> !settings.texts(address).isEmpty())
            || hasServiceConnection(context);
    return new ConditionOutcome(
        found,
        ConditionMessage.forCondition("Kafka")
            .because(found ? "its address is known" : "none of " + addresses + " is set"));
  }

  private static boolean hasServiceConnection(ConditionContext context) {
    if (!ClassUtils.isPresent(
            "org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails", null)
        || context.getBeanFactory() == null) {
      return false;
    }
    for (String name :
        context.getBeanFactory().getBeanNamesForType(KafkaConnectionDetails.class, true, false)) {
      @Nullable Class<?> type = context.getBeanFactory().getType(name, false);
      if (type != null && !type.getSimpleName().equals("PropertiesKafkaConnectionDetails")) {
        return true;
      }
    }
    return false;
  }
}
