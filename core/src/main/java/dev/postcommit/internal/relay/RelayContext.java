package dev.postcommit.internal.relay;

import dev.postcommit.internal.relay.health.Availability;
import dev.postcommit.internal.relay.health.DatabaseHealth;
import dev.postcommit.internal.relay.health.OwnSession;
import dev.postcommit.internal.relay.health.Shutdown;
import dev.postcommit.internal.relay.topics.UnavailableTopics;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.relay.RelayListener;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * What all threads of one relay share.
 *
 * @param session by which others can tell that the relay is gone
 * @param standbys whether standbys have what is to be sent; they have if none is waited for
 * @param topics the topics that take no messages
 * @param delivered counts the events that were delivered and recorded so
 * @param handover held for reading while a batch is handed to the publisher, and for writing while
 *     the publisher is asked whether it is ready: one that was broken and becomes whole in between
 *     would let the rest of a batch overtake what failed
 */
record RelayContext(
    RelayStore store,
    Publisher publisher,
    Messages messages,
    RelayListener listener,
    RelayConfig config,
    Availability broker,
    DatabaseHealth database,
    OwnSession session,
    Availability standbys,
    UnavailableTopics topics,
    PauseState pauseState,
    Shutdown shutdown,
    LongAdder delivered,
    ReadWriteLock handover) {

  RelayContext(
      RelayStore store,
      Publisher publisher,
      Messages messages,
      RelayListener listener,
      RelayConfig config,
      Availability broker,
      OwnSession session,
      UnavailableTopics topics) {
    this(
        store,
        publisher,
        messages,
        listener,
        config,
        broker,
        new DatabaseHealth(
            listener::databaseUnavailable,
            listener::databaseRecovered,
            config.lease().multipliedBy(2),
            config.batchSize()),
        session,
        new Availability("standby", listener::standbysUnavailable, listener::standbysRecovered),
        topics,
        new PauseState(listener),
        new Shutdown(),
        new LongAdder(),
        new ReentrantReadWriteLock());
  }
}
