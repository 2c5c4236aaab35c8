package dev.postcommit.crash;

import dev.postcommit.Event;
import dev.postcommit.layout.Layout;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Function;

/**
 * A table that crashes are tried on.
 *
 * @param layout its layout, whose name is also that of the setting
 * @param event makes an event of a key, for the topic of the scene
 */
record CrashTable(Layout layout, Function<String, Event.Builder> event) {
  static final CrashTable NATIVE =
      new CrashTable(Layout.nativeTable(), key -> Event.builder(CrashScene.TOPIC).key(key));

  static final CrashTable LOG =
      new CrashTable(Layout.log(), key -> Event.builder(CrashScene.TOPIC).key(key));

  static final CrashTable LOGISTIK =
      new CrashTable(
          Layout.logistik(), key -> Event.builder(CrashScene.TOPIC).aggregate("t", uuid(key)));

  static final CrashTable MODKIT =
      new CrashTable(
          Layout.modkit(),
          key -> Event.builder(CrashScene.TOPIC).topic(CrashScene.TOPIC).tenant(uuid(key)));

  private static UUID uuid(String key) {
    return UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
  }
}
