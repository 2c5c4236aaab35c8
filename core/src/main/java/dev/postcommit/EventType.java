package dev.postcommit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The type of the events whose payload is an object of the marked class.
 *
 * <pre>{@code
 * @EventType("order.placed")
 * @AggregateType("order")
 * record OrderPlaced(@AggregateId String orderId, int total) {}
 * }</pre>
 *
 * <p>It is not inherited: each class of payloads has a type of its own. See {@link Event#of}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface EventType {

  /** What happened, for example {@code order.placed}. */
  String value();
}
