package dev.postcommit.testkit.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.Event;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import java.util.UUID;

/** Held layouts, for the operator's view. */
final class HeldSamples {
  static final LayoutSample LOGISTIK = sample(Layout.logistik());
  static final LayoutSample PACKFINDERZ = sample(Layout.packFinderz());
  static final LayoutSample POLYSHOP = sample(Layout.polyShop());
  static final LayoutSample POLYSHOP_MARKING = sample(marksDead(Layout.polyShop()));

  private HeldSamples() {}

  private static LayoutSample sample(Layout layout) {
    return new LayoutSample(
        layout,
        key ->
            Event.builder("order_created")
                .aggregate("vendor_order", UUID.nameUUIDFromBytes(key.getBytes(UTF_8)).toString()),
        tenant -> Event.builder("order_created").tenant(tenant).json("1").build());
  }

  private static Layout marksDead(Layout layout) {
    return new Layout(
        layout.name(),
        layout.table(),
        layout.columns(),
        new ProcessedFlag(true, OnDelivery.KEEP),
        layout.retryPolicy());
  }
}
