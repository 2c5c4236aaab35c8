package dev.postcommit.demo.orders;

import dev.postcommit.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Generates the transactions of one writer. It keeps about two dozen orders open and interleaves
 * them, so the events of an order are spread over time. Not safe for use by several threads.
 */
final class OrderGenerator {
  private static final int OPEN_ORDERS = 25;
  private static final int MOST_ORDERS_AT_ONCE = 3;
  private static final int MOST_STEPS_AT_ONCE = 2;
  private static final int REMEMBERED = 200;
  private static final double ENQUEUED_TWICE = 0.05;

  private final String name;
  private final List<Order.Poison> poisons;
  private final Random random;
  private final List<Order> open = new ArrayList<>();
  private final List<Written> written = new ArrayList<>();
  private int ordersBegun;
  private int committed;
  private int nextPoison;

  /**
   * The content of a transaction.
   *
   * @param moved orders with their new steps, in order
   * @param events their events
   * @param poisonous the ids of events that the broker rejects
   * @param repeated an event to enqueue a second time, or null
   */
  record Draft(
      List<Order> moved, List<Event> events, Set<UUID> poisonous, @Nullable Repeated repeated) {}

  /**
   * An event that is enqueued a second time.
   *
   * @param event the same dedupe key under a new id
   * @param firstId its id in the table
   */
  record Repeated(Event event, UUID firstId) {}

  private record Written(Order order, UUID id) {}

  /** Creates a generator, some of whose events are one of {@code poisons}. */
  OrderGenerator(String name, List<Order.Poison> poisons, Random random) {
    this.name = name;
    this.poisons = poisons;
    this.random = random;
    this.nextPoison = 20 + random.nextInt(60);
    for (int i = 0; i < OPEN_ORDERS; i++) {
      open.add(begin());
    }
  }

  /** Generates a transaction of one to {@code most} events. */
  Draft draft(int most) {
    List<Order> moved = new ArrayList<>();
    List<Event> events = new ArrayList<>();
    Set<UUID> poisonous = new HashSet<>();
    Collections.shuffle(open, random);
    for (Order picked : open.subList(0, 1 + random.nextInt(MOST_ORDERS_AT_ONCE))) {
      Order order = picked;
      int steps = 1 + random.nextInt(MOST_STEPS_AT_ONCE);
      while (steps-- > 0 && !order.isOver() && events.size() < most) {
        if (poisonous.isEmpty() && committed + events.size() >= nextPoison) {
          Event event = order.poison(poisons.get(random.nextInt(poisons.size())), random);
          poisonous.add(event.id());
          events.add(event);
        } else {
          order = order.next();
          moved.add(order);
          events.add(order.event(random));
        }
      }
    }
    return new Draft(moved, events, poisonous, repeated());
  }

  private @Nullable Repeated repeated() {
    if (written.isEmpty() || random.nextDouble() >= ENQUEUED_TWICE) {
      return null;
    }
    Written first = written.get(random.nextInt(written.size()));
    return new Repeated(first.order().event(random), first.id());
  }

  /** Records that a transaction was committed. One that was rolled back is not recorded. */
  void committed(Draft draft) {
    committed += draft.events().size();
    if (!draft.poisonous().isEmpty()) {
      nextPoison = committed + 150 + random.nextInt(150);
    }
    for (Order order : draft.moved()) {
      open.removeIf(other -> other.id().equals(order.id()));
      open.add(order.isOver() ? begin() : order);
    }
    int next = 0;
    for (Event event : draft.events()) {
      if (!draft.poisonous().contains(event.id())) {
        written.add(new Written(draft.moved().get(next++), event.id()));
      }
    }
    while (written.size() > REMEMBERED) {
      written.remove(0);
    }
  }

  private Order begin() {
    return Order.begin("%s-%06d".formatted(name, ++ordersBegun), random);
  }
}
