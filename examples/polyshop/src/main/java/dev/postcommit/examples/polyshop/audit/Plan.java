package dev.postcommit.examples.polyshop.audit;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What the customers did.
 *
 * @param orders all orders that were answered
 * @param stock how much there was of each product
 * @param users how many users registered
 * @param payment whether payment-service runs
 * @param notification whether notification-service runs
 */
public record Plan(
    List<PlacedOrder> orders,
    Map<UUID, Integer> stock,
    int users,
    boolean payment,
    boolean notification) {

  /** Keeps copies. */
  public Plan {
    orders = List.copyOf(orders);
    stock = Map.copyOf(stock);
  }

  /** The orders of a kind. */
  public List<PlacedOrder> orders(PlacedOrder.Kind kind) {
    return orders.stream().filter(order -> order.kind() == kind).toList();
  }
}
