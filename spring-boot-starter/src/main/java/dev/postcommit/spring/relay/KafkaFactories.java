package dev.postcommit.spring.relay;

import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.spring.settings.SetupException;
import dev.postcommit.spring.settings.SpringSettings;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** How the application's own clients of Kafka are configured, by Spring's factories or settings. */
public final class KafkaFactories {
  private KafkaFactories() {}

  /**
   * The only or primary factory of clients; empty if the application has none, or several and
   * Postcommit has an address of its own.
   *
   * @param type as messages name it
   * @throws SetupException if it is unclear how to connect to Kafka
   */
  public static <F> Optional<F> only(
      ObjectProvider<F> factories, SpringSettings settings, String type) {
    @Nullable F factory = factories.getIfUnique();
    if (factory == null
        && !settings.isGiven(BrokerSettings.KAFKA_BOOTSTRAP_SERVERS)
        && factories.stream().findAny().isPresent()) {
      throw new SetupException(
          "there are several beans of type %s, and none is primary, so it is unclear how to connect"
                  .formatted(type)
              + " to Kafka",
          "mark the one for events as @Primary, or set %s, and %s for encryption and login"
              .formatted(
                  BrokerSettings.KAFKA_BOOTSTRAP_SERVERS.property(),
                  BrokerSettings.KAFKA_CONFIG.property()));
    }
    return Optional.ofNullable(factory);
  }

  /**
   * The addresses that settings name.
   *
   * @param client {@code producer} or {@code consumer}, whose own addresses come first
   */
  public static List<String> addresses(SpringSettings settings, String client) {
    List<String> own = settings.texts("spring.kafka." + client + ".bootstrap-servers");
    return own.isEmpty() ? settings.texts("spring.kafka.bootstrap-servers") : own;
  }
}
