package dev.postcommit.spring;

import dev.postcommit.DomainEvent;
import dev.postcommit.DomainEvents;
import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.EventType;
import dev.postcommit.InvalidEventException;
import dev.postcommit.NoTransactionException;
import java.util.List;

/**
 * The writing side in a Spring application: records events in the current transaction.
 *
 * <pre>{@code
 * @Transactional
 * public void place(Order order) {
 *   orders.save(order);
 *   outbox.enqueue(Event.builder("order.placed").aggregate("order", order.id()).json(body).build());
 * }
 * }</pre>
 *
 * <p>Payloads that are objects are serialised by the application's {@code JsonMapper}. Publishing
 * an object of a class with {@link EventType} as an application event enqueues it, too.
 *
 * <p>Spring must manage the transaction on the outbox's data source, for JDBC, JPA or jOOQ. Safe
 * for use by many threads.
 */
public interface SpringOutbox {

  /**
   * Records {@code event} in the current transaction; it is delivered after commit, at least once,
   * and never if the transaction rolls back.
   *
   * @throws NoTransactionException if there is no transaction, or none that could write the event;
   *     nothing is written
   * @throws InvalidEventException if the layout cannot hold the event, or its payload cannot be
   *     serialised; nothing is written
   */
  Enqueued enqueue(Event event);

  /**
   * Records many events with one statement, in the order of the list.
   *
   * @return the result for each, in the same order
   * @throws NoTransactionException if there is no transaction, or none that could write the events;
   *     nothing is written
   * @throws InvalidEventException if the layout cannot hold one of the events, or its payload
   *     cannot be serialised; nothing is written
   */
  List<Enqueued> enqueueAll(List<Event> events);

  /**
   * Records {@code event} in the current transaction, wrapped in the envelope that consumers will
   * read; see {@link DomainEvents}.
   *
   * @throws NoTransactionException if there is no transaction, or none that could write the event;
   *     nothing is written
   * @throws InvalidEventException if the layout cannot hold the event; nothing is written
   */
  default Enqueued emit(DomainEvent event) {
    return enqueue(DomainEvents.toEvent(event));
  }
}
