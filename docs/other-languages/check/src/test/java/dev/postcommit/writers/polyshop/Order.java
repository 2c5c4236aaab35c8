package dev.postcommit.writers.polyshop;

import java.util.UUID;

/** An order of two products by one user, and the events about it. */
record Order(UUID id, UUID user, UUID trace, UUID firstProduct, UUID secondProduct, UUID placed) {

  static Order create() {
    return new Order(
        UUID.randomUUID(),
        UUID.randomUUID(),
        UUID.randomUUID(),
        UUID.randomUUID(),
        UUID.randomUUID(),
        UUID.randomUUID());
  }

  String key() {
    return id.toString();
  }

  /** The same order by another user. */
  Order by(UUID other) {
    return new Order(id, other, trace, firstProduct, secondProduct, placed);
  }

  void publishPlaced(Shop shop) {
    String data =
        """
        {"orderId":"%s","userId":"%s","items":[{"productId":"%s","variantId":null,"quantity":2},\
        {"productId":"%s","quantity":1}],"totalAmount":12345678901234567.10,"currency":"EUR",\
        "createdAt":"2026-03-04T05:06:07Z"}"""
            .formatted(id, user, firstProduct, secondProduct);
    shop.publish(Shop.ORDER_PLACED, key(), placed, trace, data);
  }

  void publishReserved(Shop shop) {
    reserve(shop, firstProduct, 2);
    reserve(shop, secondProduct, 1);
  }

  /**
   * A reservation, whose events have an id of the product's, so that a second one is a duplicate.
   */
  void reserve(Shop shop, UUID product, int quantity) {
    String data =
        """
        {"reservationId":"%s","orderId":"%s","productId":"%s","variantId":null,"quantity":%d,\
        "reservedAt":"2026-03-04T05:06:08Z"}"""
            .formatted(product, id, product, quantity);
    shop.publish(Shop.STOCK_RESERVED, product.toString(), product, trace, data);
  }

  void publishCancelled(Shop shop) {
    publishCancelled(shop, "changed my mind");
  }

  void publishCancelled(Shop shop, String reason) {
    String data =
        """
        {"orderId":"%s","reason":"%s","cancelledAt":"2026-03-04T05:06:09Z"}"""
            .formatted(id, reason);
    shop.publish(Shop.ORDER_CANCELLED, key(), UUID.randomUUID(), trace, data);
  }
}
