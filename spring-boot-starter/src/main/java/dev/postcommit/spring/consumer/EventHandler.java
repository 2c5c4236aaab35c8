package dev.postcommit.spring.consumer;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the method of a bean that handles the events of one type.
 *
 * <pre>{@code
 * @EventHandler("order.placed")
 * void reserve(OrderPlaced order, EventContext event) {
 *   stock.reserve(event.id(), order.items());
 * }
 * }</pre>
 *
 * <p>The method takes the event's data as an object, as {@code String} or as {@code byte[]}, or the
 * whole {@link dev.postcommit.consumer.message.ReceivedEvent} with its data as one of these; and an
 * {@link EventContext} too, if it wants. It returns nothing. With the inbox in Postgres it runs in
 * the transaction that remembers the event as handled, so {@code @Transactional} repositories take
 * part in it.
 *
 * <p>When it throws, the transaction is rolled back and the event is tried again later. After
 * {@link dev.postcommit.consumer.message.PermanentFailureException} it is not: the event goes to
 * the dead-letter topic.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface EventHandler {

  /** The type of the events, as {@code order.placed}. */
  String value();
}
