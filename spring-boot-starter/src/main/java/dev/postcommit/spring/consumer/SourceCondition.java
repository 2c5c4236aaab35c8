package dev.postcommit.spring.consumer;

import dev.postcommit.settings.ConsumerSettings;
import dev.postcommit.settings.Setting;
import dev.postcommit.spring.settings.SpringSettings;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether settings say what to consume. */
class SourceCondition extends SpringBootCondition {
  private final List<Setting<?>> settings;

  /** Topics or subscriptions. */
  SourceCondition() {
    this(List.of(ConsumerSettings.TOPICS, ConsumerSettings.SUBSCRIPTIONS));
  }

  private SourceCondition(List<Setting<?>> settings) {
    this.settings = settings;
  }

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    SpringSettings values = new SpringSettings(context.getEnvironment());
    boolean found = settings.stream().anyMatch(values::isGiven);
    List<String> names = settings.stream().map(Setting::property).toList();
    return new ConditionOutcome(
        found,
        ConditionMessage.forCondition("Consumer")
            .because((found ? "one of %s is set" : "none of %s is set").formatted(names)));
  }

  /** Topics of Kafka. */
  static final class Topics extends SourceCondition {
    Topics() {
      super(List.of(ConsumerSettings.TOPICS));
    }
  }

  /** Subscriptions of Pub/Sub. */
  static final class Subscriptions extends SourceCondition {
    Subscriptions() {
      super(List.of(ConsumerSettings.SUBSCRIPTIONS));
    }
  }
}
