package dev.postcommit.examples.polyshop.events;

import java.util.List;

/** The types of events, each of which is the topic of its events. */
public final class Topics {
  public static final String USER_CREATED = "auth.user.created.v1";
  public static final String PRODUCT_CREATED = "product.product.created.v1";
  public static final String STOCK_MOVEMENT = "inventory.stock.movement.v1";
  public static final String STOCK_RESERVED = "inventory.stock.reserved.v1";
  public static final String STOCK_CONFIRMED = "inventory.stock.confirmed.v1";
  public static final String STOCK_RELEASED = "inventory.stock.released.v1";
  public static final String ORDER_PLACED = "order.order.placed.v1";
  public static final String ORDER_PAID = "order.order.paid.v1";
  public static final String ORDER_CANCELLED = "order.order.cancelled.v1";
  public static final String PAYMENT_SUCCEEDED = "payment.payment.succeeded.v1";
  public static final String PAYMENT_FAILED = "payment.payment.failed.v1";
  public static final String EMAIL_SENT = "notification.email.sent.v1";

  /** All of them. */
  public static final List<String> ALL =
      List.of(
          USER_CREATED,
          PRODUCT_CREATED,
          STOCK_MOVEMENT,
          STOCK_RESERVED,
          STOCK_CONFIRMED,
          STOCK_RELEASED,
          ORDER_PLACED,
          ORDER_PAID,
          ORDER_CANCELLED,
          PAYMENT_SUCCEEDED,
          PAYMENT_FAILED,
          EMAIL_SENT);

  private Topics() {}
}
