package dev.postcommit.spring;

import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.support.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/** What the settings mean for a relay. */
final class RelaySettings {
  private static final Duration MILLISECOND = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private RelaySettings() {}

  static void apply(PostcommitSettings settings, Layout layout, Given given, Relay.Builder relay) {
    Function<String, Optional<String>> implied =
        name ->
            Optional.ofNullable(given.has(name) ? null : layout.settings().defaults().get(name));
    Duration lease = Values.atLeast("lease", settings.lease(), MILLISECOND);
    Duration poll =
        Values.atLeast(
            "poll-interval",
            implied.apply("poll-interval").map(DurationText::read).orElse(settings.pollInterval()),
            MILLISECOND);
    if (poll.multipliedBy(3).compareTo(lease) > 0) {
      throw Given.invalid(
          "poll-interval",
          DurationText.show(poll),
          "it must be at most a third of postcommit.lease (%s)"
              .formatted(DurationText.show(lease)));
    }
    relay
        .batchSize(
            Values.within(
                "batch-size",
                implied.apply("batch-size").map(Integer::valueOf).orElse(settings.batchSize()),
                1,
                10_000))
        .batchBytes(Values.bytes("batch-bytes", settings.batchBytes()))
        .batchesInFlight(Values.within("batches-in-flight", settings.batchesInFlight(), 1, 64))
        .pollInterval(poll)
        .lease(lease)
        .drainTimeout(Values.atLeast("drain-timeout", settings.drainTimeout(), Duration.ZERO))
        .ordering(settings.ordering())
        .giveUpAfter(Values.limitOrOff("give-up-after", settings.giveUpAfter(), SECOND))
        .retention(retention(settings))
        .namespace(settings.namespace())
        .tenant(settings.tenant());
    if (checkStandbys(settings)) {
      relay.waitForStandbys(settings.waitForStandbys(), settings.standbyNames());
    }
  }

  /** Refuses standbys that do not go with their number; returns whether there are any. */
  private static boolean checkStandbys(PostcommitSettings settings) {
    int count = Values.within("wait-for-standbys", settings.waitForStandbys(), 0, 100);
    List<String> names = settings.standbyNames();
    if (count == 0 && !names.isEmpty()) {
      throw Given.invalid(
          "standby-names",
          String.join(",", names),
          "postcommit.wait-for-standbys is 0; leave it out, or set postcommit.wait-for-standbys=1");
    }
    if (names.size() < count) {
      throw Given.invalid(
          "wait-for-standbys",
          Integer.toString(count),
          "postcommit.standby-names has %d; name as many standbys, or more"
              .formatted(names.size()));
    }
    return count > 0;
  }

  /** How long delivered rows are kept; null for ever. */
  static @Nullable Duration retention(PostcommitSettings settings) {
    Duration retention = Values.durationOrOff("retention", settings.retention());
    return retention.isZero() ? null : retention;
  }

  /** Refuses a transactional id where no transaction of Kafka's is to be had. */
  static void checkTransactions(
      PostcommitSettings settings, Layout layout, ListableBeanFactory beans) {
    String name = "kafka.transactional-id";
    @Nullable String id = settings.kafka().transactionalId();
    if (id == null) {
      return;
    }
    if (!beans.containsBean(KafkaPublisherAutoConfiguration.TRANSACTIONAL_BEAN)) {
      throw Given.invalid(
          name,
          id,
          "events go to another publisher (%s); leave it out, or set postcommit.broker=kafka and have no publisher of your own"
              .formatted(String.join(", ", beans.getBeanNamesForType(Publisher.class))));
    }
    if (!layout.isLog()) {
      throw Given.invalid(
          name,
          id,
          "the %s layout has no checkpoint that a transaction could record; leave it out, or set postcommit.layout=log"
              .formatted(layout.name()));
    }
  }

  /** Refuses a lease that could end while an event is still being sent. */
  static void checkLease(PostcommitSettings settings, Publisher publisher) {
    if (publisher.deliveryTimeout().compareTo(settings.lease()) >= 0) {
      throw Given.invalid(
          "lease",
          DurationText.show(settings.lease()),
          "it must be longer than a delivery may take (%s); a shorter one needs a publisher with shorter timeouts"
              .formatted(DurationText.show(publisher.deliveryTimeout())));
    }
  }
}
