package dev.postcommit.examples.minichat.dispatcher;

import dev.postcommit.Ordering;
import dev.postcommit.examples.minichat.usage.UsageEvent;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayListener;
import javax.sql.DataSource;

/** The relay that hands Mini Chat's events to a callback; any number of them may run. */
public final class UsageDispatcher {
  private UsageDispatcher() {}

  /**
   * A dispatcher, not started.
   *
   * @param chat the database with the outbox
   * @param callback delivers one event, within half of the lease, or throws
   * @throws IllegalArgumentException if the settings contradict each other
   */
  public static Relay of(
      DataSource chat,
      Publisher.Callback callback,
      DispatcherConfig config,
      RelayListener listener) {
    Publisher publisher = Publisher.callback(config.lease().dividedBy(2), callback);
    return Relay.builder(chat, publisher)
        .layout(Layout.preset("modkit"))
        .namespace(UsageEvent.NAMESPACE)
        // Usage adds up in any order, and a dead event is not to hold back its tenant's others.
        .ordering(Ordering.NONE)
        .batchSize(config.batchSize())
        .pollInterval(config.pollInterval())
        .lease(config.lease())
        .retryPolicy(config.retryPolicy())
        .listener(listener)
        .build();
  }
}
