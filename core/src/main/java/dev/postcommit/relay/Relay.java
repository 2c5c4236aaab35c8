package dev.postcommit.relay;

import dev.postcommit.Ordering;
import dev.postcommit.Outbox;
import dev.postcommit.RetryPolicy;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.internal.relay.LargestMessage;
import dev.postcommit.internal.relay.RelayEngine;
import dev.postcommit.layout.Layout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Moves committed events from a table to a broker, in order per key, at least once.
 *
 * <p>Any number of relays may run on one table. Safe for use by many threads.
 */
public interface Relay extends AutoCloseable {

  /** Starts a relay's settings. */
  static Builder builder(DataSource dataSource, Publisher publisher) {
    return new Builder(dataSource, publisher);
  }

  /** The id under which this relay claims events. */
  UUID id();

  /**
   * Starts delivering. Database and broker need not be there yet; the relay waits for them.
   *
   * @throws IllegalStateException if it was started before
   */
  void start();

  /** Polls now rather than at the next interval; call this after a commit. */
  void wakeUp();

  /**
   * Ends the relay's present wait for broker or database, if there is one, and tries at once. Call
   * this when they are back; if they are not, the relay waits on as before.
   */
  void retryNow();

  /** How the relay stands. */
  State state();

  /**
   * Stops: claims nothing more, waits for what is in flight up to the drain timeout, and gives back
   * the rest.
   */
  @Override
  void close();

  /** How a relay stands. */
  enum State {
    /** Not started yet. */
    NEW,
    /** Delivering, or ready to. */
    RUNNING,
    /** Waiting for the broker. */
    BROKER_UNAVAILABLE,
    /** Waiting for the database. */
    DATABASE_UNAVAILABLE,
    /** Waiting for standbys to have what is to be sent; broker and database are there. */
    STANDBYS_UNAVAILABLE,
    /** Waiting for an operator to resume the table; broker and database are there. */
    PAUSED,
    /**
     * A thread of the relay has ended for an error of the virtual machine. What it claimed goes to
     * others in time. Close this relay, and restart its process.
     */
    FAILED,
    /** Closed, or closing. */
    STOPPED
  }

  /** Collects a relay's settings; what they mean is said at {@link RelayConfig}. */
  final class Builder {
    private final DataSource dataSource;
    private final Publisher publisher;
    private Layout layout = Layout.nativeTable();
    private EventCheck check = EventCheck.NONE;
    private Router router = Router.recorded();
    private Envelope envelope = Envelope.raw();
    private final List<RelayListener> listeners = new ArrayList<>();
    private int batchSize = RelayConfig.DEFAULT.batchSize();
    private long batchBytes = RelayConfig.DEFAULT.batchBytes();
    private int batchesInFlight = RelayConfig.DEFAULT.batchesInFlight();
    private Duration pollInterval = RelayConfig.DEFAULT.pollInterval();
    private Duration lease = RelayConfig.DEFAULT.lease();
    private Duration drainTimeout = RelayConfig.DEFAULT.drainTimeout();
    private Ordering ordering = RelayConfig.DEFAULT.ordering();
    private @Nullable RetryPolicy retryPolicy;
    private final Map<String, RetryPolicy> retryPolicies = new HashMap<>();
    private @Nullable String namespace;
    private @Nullable UUID tenant;
    private @Nullable Duration giveUpAfter;
    private int maxPayloadBytes = Outbox.DEFAULT_MAX_PAYLOAD_BYTES;
    private @Nullable Duration retention = RelayConfig.DEFAULT.retention();
    private @Nullable Standbys standbys = RelayConfig.DEFAULT.standbys();

    private Builder(DataSource dataSource, Publisher publisher) {
      this.dataSource = dataSource;
      this.publisher = publisher;
    }

    /** Sets the table's layout; the native table unless set. */
    public Builder layout(Layout value) {
      layout = value;
      return this;
    }

    /** Sets what every event must satisfy to be sent; nothing unless set. */
    public Builder check(EventCheck value) {
      check = value;
      return this;
    }

    /** Sets where events go; {@link Router#recorded} unless set. */
    public Builder router(Router value) {
      router = value;
      return this;
    }

    /** Sets how events become messages; {@link Envelope#raw} unless set. */
    public Builder envelope(Envelope value) {
      envelope = value;
      return this;
    }

    /** Adds a listener. */
    public Builder listener(RelayListener value) {
      listeners.add(value);
      return this;
    }

    /** Sets the most events claimed at once. */
    public Builder batchSize(int value) {
      batchSize = value;
      return this;
    }

    /** Sets the payload bytes after which a claim takes no more events. */
    public Builder batchBytes(long value) {
      batchBytes = value;
      return this;
    }

    /** Sets how many batches are worked on side by side. */
    public Builder batchesInFlight(int value) {
      batchesInFlight = value;
      return this;
    }

    /** Sets how often an idle relay looks for events. */
    public Builder pollInterval(Duration value) {
      pollInterval = value;
      return this;
    }

    /** Sets how long a claim lasts. */
    public Builder lease(Duration value) {
      lease = value;
      return this;
    }

    /** Sets how long closing waits for what is in flight. */
    public Builder drainTimeout(Duration value) {
      drainTimeout = value;
      return this;
    }

    /** Sets which events wait for which. */
    public Builder ordering(Ordering value) {
      ordering = value;
      return this;
    }

    /** Sets when failed events are tried again and given up; as the layout says unless set. */
    public Builder retryPolicy(RetryPolicy value) {
      retryPolicy = value;
      return this;
    }

    /** Sets when failed events of one type are tried again and given up. */
    public Builder retryPolicy(String type, RetryPolicy value) {
      retryPolicies.put(type, value);
      return this;
    }

    /** Delivers only events of one namespace. */
    public Builder namespace(@Nullable String value) {
      namespace = value;
      return this;
    }

    /** Delivers only events of one tenant. */
    public Builder tenant(@Nullable UUID value) {
      tenant = value;
      return this;
    }

    /**
     * Sets how long events wait for a topic that is missing or forbidden before they become dead;
     * null, unless set, is for ever.
     */
    public Builder giveUpAfter(@Nullable Duration value) {
      giveUpAfter = value;
      return this;
    }

    /**
     * Sets the largest payload that the outboxes of this table accept; {@value
     * Outbox#DEFAULT_MAX_PAYLOAD_BYTES} unless set. The relay delivers larger ones all the same, if
     * the broker takes them; but it warns when it starts if the publisher takes less.
     */
    public Builder maxPayloadBytes(int value) {
      maxPayloadBytes = value;
      return this;
    }

    /**
     * Sets how long delivered rows are kept before the relay deletes them: 30 days unless set; null
     * keeps them for ever.
     */
    public Builder retention(@Nullable Duration value) {
      retention = value;
      return this;
    }

    /**
     * Sends an event only when this many of the named standbys have it on disk, so that a failover
     * to one of them does not lose the transaction of an event that was delivered. The database
     * user needs {@code pg_read_all_stats} for that. Unless set, the relay waits for no standby.
     *
     * @param names the {@code application_name} of each standby
     * @throws IllegalArgumentException if there are fewer names than {@code count}
     */
    public Builder waitForStandbys(int count, Collection<String> names) {
      standbys = new Standbys(count, new LinkedHashSet<>(names));
      return this;
    }

    /**
     * The relay, not started.
     *
     * @throws IllegalArgumentException if settings are out of range or contradict each other, with
     *     their names and values
     */
    public Relay build() {
      RelayConfig config =
          new RelayConfig(
              batchSize,
              batchBytes,
              batchesInFlight,
              pollInterval,
              lease,
              drainTimeout,
              ordering,
              retryPolicy == null ? layout.retryPolicy() : retryPolicy,
              retryPolicies,
              namespace,
              tenant,
              giveUpAfter,
              retention,
              standbys);
      config.checkAgainst(publisher);
      config.checkAgainst(layout);
      if (publisher instanceof TransactionalPublisher && !layout.isLog()) {
        throw new IllegalArgumentException(
            "the publisher is transactional, but the %s layout has no checkpoint that it could record; use the log layout, or a publisher without transactions"
                .formatted(layout.name()));
      }
      return new RelayEngine(
          dataSource,
          layout,
          publisher,
          check,
          router,
          envelope,
          listeners,
          config,
          new LargestMessage(maxPayloadBytes, publisher.maxMessageBytes()));
    }
  }
}
