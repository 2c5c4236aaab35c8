package dev.postcommit.demo.orders;

import dev.postcommit.Event;
import java.util.Locale;
import java.util.Random;

/**
 * An order.
 *
 * @param id the order, and the key of its events
 * @param customer the customer
 * @param step its state
 */
public record Order(String id, String customer, Step step) {

  /** The states of an order. */
  enum Step {
    NEW,
    PLACED,
    PAID,
    PACKED,
    SHIPPED,
    DELIVERED;

    /** Returns the next step. The last one has none. */
    Step next() {
      return switch (this) {
        case NEW -> PLACED;
        case PLACED -> PAID;
        case PAID -> PACKED;
        case PACKED -> SHIPPED;
        case SHIPPED -> DELIVERED;
        case DELIVERED -> throw new IllegalStateException("a delivered order is over");
      };
    }

    private String type() {
      return "order." + name().toLowerCase(Locale.ROOT);
    }
  }

  /** An event that a broker rejects. */
  public enum Poison {
    /** A payload larger than the topic allows. */
    TOO_LARGE,
    /** An invalid topic name. */
    INVALID_TOPIC
  }

  /** The topic of the events of orders. */
  public static final String TOPIC = "orders";

  /** The size of a payload that is too large for the topic. */
  public static final int TOO_LARGE_BYTES = 512 * 1024;

  private static final String LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  /** Creates an order that is not stored yet. */
  static Order begin(String id, Random random) {
    return new Order(id, "customer-" + (1 + random.nextInt(500)), Step.NEW);
  }

  boolean isOver() {
    return step == Step.DELIVERED;
  }

  Order next() {
    return new Order(id, customer, step.next());
  }

  /** Creates the event for the current step, always with the same dedupe key. */
  Event event(Random random) {
    return builder(step.type(), TOPIC, 150, random).dedupeKey(id + "/" + step.type()).build();
  }

  /** Creates an event that will be dead. */
  Event poison(Poison poison, Random random) {
    return poison == Poison.TOO_LARGE
        ? builder("order.photographed", TOPIC, TOO_LARGE_BYTES, random).build()
        : builder("order.misrouted", "no such/topic", 150, random).build();
  }

  private Event.Builder builder(String type, String topic, int filling, Random random) {
    String json =
        """
        {"order":"%s","customer":"%s","type":"%s","amount":%d.%02d,"currency":"EUR","note":"%s"}"""
            .formatted(
                id,
                customer,
                type,
                1 + random.nextInt(500),
                random.nextInt(100),
                letters(filling, random));
    return Event.builder(type).topic(topic).aggregate("order", id).json(json);
  }

  /** Returns random letters, which hardly compress. */
  private static String letters(int count, Random random) {
    StringBuilder text = new StringBuilder(count);
    for (int i = 0; i < count; i++) {
      text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return text.toString();
  }
}
