package dev.postcommit.bench.own;

import dev.postcommit.Event;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Function;

/** The layouts that can be measured, each in a schema of its own, with events it can hold. */
@SuppressWarnings("ImmutableEnumChecker") // layouts and functions do not change
enum BenchLayout {
  NATIVE(Layout.nativeTable(), BenchLayout::keyed),
  LOG(Layout.log(), BenchLayout::keyed),
  MODKIT(
      Layout.preset("modkit", TableName.of("modkit.modkit_outbox_events")),
      key -> Event.builder("bench").tenant(uuid(key))),
  LOGISTIK(
      Layout.preset("logistik", TableName.of("logistik.outbox_events")), BenchLayout::aggregated),
  PACKFINDERZ(
      Layout.preset("packfinderz", TableName.of("packfinderz.outbox_events")),
      BenchLayout::aggregated),
  POLYSHOP(
      Layout.preset("polyshop", TableName.of("polyshop.outbox_events")),
      key -> Event.builder("bench").aggregateId(key));

  private final Layout layout;
  private final Function<String, Event.Builder> event;

  BenchLayout(Layout layout, Function<String, Event.Builder> event) {
    this.layout = layout;
    this.event = event;
  }

  Layout layout() {
    return layout;
  }

  /** An event of a key. */
  Event.Builder event(String key) {
    return event.apply(key);
  }

  private static Event.Builder keyed(String key) {
    return Event.builder("bench").aggregate("bench", key);
  }

  private static Event.Builder aggregated(String key) {
    return Event.builder("order_created").aggregate("vendor_order", uuid(key));
  }

  private static UUID uuid(String key) {
    return UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
  }
}
