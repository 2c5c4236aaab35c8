package dev.postcommit.examples.packfinderz.compliance;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;

/**
 * What a consumer of PackFinderz takes from its environment.
 *
 * @param subscription the Pub/Sub subscription it reads
 * @param ttl how long Redis remembers a handled event
 */
public record ConsumerSettings(String subscription, Duration ttl) {

  /** Names the subscription; there is no default. */
  public static final String SUBSCRIPTION = "PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION";

  /** How long a handled event is remembered, as {@code 720h}, which is the default. */
  public static final String TTL = "PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL";

  /** The same in hours, by its older name; the one above goes before it. */
  public static final String TTL_HOURS = "PACKFINDERZ_OUTBOX_IDEMPOTENCY_TTL_HOURS";

  private static final Duration USUAL_TTL = Duration.ofDays(30);

  /**
   * Reads the variables.
   *
   * @throws IllegalArgumentException naming the variable that is missing or wrong
   */
  public static ConsumerSettings read(Map<String, String> environment) {
    String subscription = environment.getOrDefault(SUBSCRIPTION, "");
    if (subscription.isBlank()) {
      throw new IllegalArgumentException(
          SUBSCRIPTION + " is not set; name the subscription to read");
    }
    return new ConsumerSettings(subscription, ttl(environment));
  }

  private static Duration ttl(Map<String, String> environment) {
    String ttl = environment.getOrDefault(TTL, "");
    if (!ttl.isBlank()) {
      return duration(TTL, ttl, ttl, "a time such as 720h or 36h30m");
    }
    String hours = environment.getOrDefault(TTL_HOURS, "");
    return hours.isBlank()
        ? USUAL_TTL
        : duration(TTL_HOURS, hours, hours + "h", "a whole number of hours");
  }

  /** Reads hours, minutes and seconds. */
  private static Duration duration(String name, String given, String text, String form) {
    try {
      Duration duration = Duration.parse("PT" + text);
      if (duration.compareTo(Duration.ofSeconds(1)) >= 0) {
        return duration;
      }
      throw new IllegalArgumentException(
          "%s: '%s' is too short; give at least one second".formatted(name, given));
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("%s: '%s' is not %s".formatted(name, given, form), e);
    }
  }
}
