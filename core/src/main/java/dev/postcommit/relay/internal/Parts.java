package dev.postcommit.relay.internal;

import dev.postcommit.envelope.Envelope;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.OutboxStore;

/** What all threads of one relay share. */
record Parts(
    OutboxStore store,
    Publisher publisher,
    Envelope envelope,
    RelayListener listener,
    RelayConfig config,
    Availability broker,
    Availability database,
    Shutdown shutdown) {

  Parts(
      OutboxStore store,
      Publisher publisher,
      Envelope envelope,
      RelayListener listener,
      RelayConfig config) {
    this(
        store,
        publisher,
        envelope,
        listener,
        config,
        new Availability("broker", GuardedListener.brokerChanges(listener)),
        new Availability("database", GuardedListener.databaseChanges(listener)),
        new Shutdown());
  }
}
