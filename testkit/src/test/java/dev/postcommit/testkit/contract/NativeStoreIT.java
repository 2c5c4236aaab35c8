package dev.postcommit.testkit.contract;

import dev.postcommit.Event;
import dev.postcommit.layout.Layout;
import java.util.UUID;

class NativeStoreIT extends StoreContract {
  @Override
  protected Layout layout() {
    return Layout.nativeTable();
  }

  @Override
  protected Event.Builder event(String key) {
    return Event.builder("happened").key(key);
  }

  @Override
  protected Event tenantEvent(UUID tenant) {
    return Event.builder("happened").tenant(tenant).json("1").build();
  }
}
