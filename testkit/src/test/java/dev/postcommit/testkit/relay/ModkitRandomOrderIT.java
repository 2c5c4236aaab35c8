package dev.postcommit.testkit.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.Event;
import dev.postcommit.layout.Layout;
import java.util.UUID;

class ModkitRandomOrderIT extends RandomOrder {
  @Override
  protected Layout layout() {
    return Layout.modkit();
  }

  @Override
  protected Event.Builder event(String key) {
    return Event.builder("happened").tenant(UUID.nameUUIDFromBytes(key.getBytes(UTF_8)));
  }

  @Override
  protected Event tenantEvent(UUID tenant) {
    return Event.builder("happened").tenant(tenant).json("1").build();
  }
}
