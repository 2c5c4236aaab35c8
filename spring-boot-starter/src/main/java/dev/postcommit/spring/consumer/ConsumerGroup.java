package dev.postcommit.spring.consumer;

import dev.postcommit.settings.ConsumerSettings;
import dev.postcommit.spring.settings.SetupException;
import dev.postcommit.spring.settings.SpringSettings;
import java.util.Optional;

/**
 * The consumer's name, for Kafka and for the inbox. If the two differed, two groups that each read
 * all events could share one memory of what was handled, and one of them would lose events.
 *
 * @param name as {@code inventory-service}
 */
record ConsumerGroup(String name) {

  static ConsumerGroup of(SpringSettings settings) {
    return settings
        .find(ConsumerSettings.GROUP)
        .or(() -> Optional.ofNullable(settings.text("spring.application.name")))
        .filter(name -> !name.isBlank())
        .map(ConsumerGroup::new)
        .orElseThrow(
            () ->
                new SetupException(
                    "the consumer has no name under which it shares its work and remembers what it"
                        + " has handled",
                    "set spring.application.name, or " + ConsumerSettings.GROUP.property()));
  }
}
