package dev.postcommit.spring.consumer;

import dev.postcommit.settings.ConsumerSettings;
import dev.postcommit.spring.settings.SetupException;
import dev.postcommit.spring.settings.SpringSettings;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The consumer's name, for Kafka and for the inbox. If the two differed, two groups that each read
 * all events could share one memory of what was handled, and one of them would lose events.
 *
 * @param name as {@code inventory-service}
 */
record ConsumerGroup(String name) {
  private static final String LISTENERS = "spring.kafka.consumer.group-id";

  static ConsumerGroup of(SpringSettings settings) {
    return settings
        .find(ConsumerSettings.GROUP)
        .or(() -> usual(settings))
        .filter(name -> !name.isBlank())
        .map(ConsumerGroup::new)
        .orElseThrow(
            () ->
                new SetupException(
                    "the consumer has no name under which it shares its work and remembers what it"
                        + " has handled",
                    "set spring.application.name, or " + ConsumerSettings.GROUP.property()));
  }

  /**
   * The application's listeners for Kafka must not share it: each would get a part of the events.
   */
  private static Optional<String> usual(SpringSettings settings) {
    @Nullable String name = settings.text("spring.application.name");
    if (name != null
        && settings.isGiven(ConsumerSettings.TOPICS)
        && name.equals(settings.text(LISTENERS))) {
      throw new SetupException(
          "the consumer would take its group from spring.application.name, and %s is %s too, so its"
                  .formatted(LISTENERS, name)
              + " events would be shared out between the event handlers and other listeners",
          "set %s to another name".formatted(ConsumerSettings.GROUP.property()));
    }
    return Optional.ofNullable(name);
  }
}
