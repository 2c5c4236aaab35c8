package dev.postcommit.crash;

import dev.postcommit.Event;
import dev.postcommit.layout.Layout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * A table that crashes are tried on.
 *
 * @param layout its layout, whose name is also that of the setting
 * @param event makes an event of a key, for the topic of the scene
 * @param arguments what a relay of the table needs to be told besides its layout
 */
record CrashTable(Layout layout, Function<String, Event.Builder> event, List<String> arguments) {
  static final CrashTable NATIVE =
      new CrashTable(
          Layout.nativeTable(), key -> Event.builder(CrashScene.TOPIC).key(key), List.of());

  static final CrashTable LOG =
      new CrashTable(Layout.log(), key -> Event.builder(CrashScene.TOPIC).key(key), List.of());

  static final CrashTable LOGISTIK =
      new CrashTable(
          Layout.preset("logistik"),
          key -> Event.builder(CrashScene.TOPIC).aggregate("t", uuid(key)),
          List.of());

  static final CrashTable MODKIT =
      new CrashTable(
          Layout.preset("modkit"),
          key -> Event.builder(CrashScene.TOPIC).topic(CrashScene.TOPIC).tenant(uuid(key)),
          List.of("--max-attempts", "10"));

  static final CrashTable PACKFINDERZ =
      new CrashTable(
          Layout.preset("packfinderz"),
          key -> Event.builder("order_created").aggregate("vendor_order", uuid(key)),
          List.of("--route", "fixed:" + CrashScene.TOPIC, "--envelope", "raw"));

  static final CrashTable POLYSHOP =
      new CrashTable(
          Layout.preset("polyshop"),
          key -> Event.builder(CrashScene.TOPIC).aggregateId(key),
          List.of("--source", CrashScene.TOPIC));

  private static UUID uuid(String key) {
    return UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
  }
}
