package dev.postcommit.testkit.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.Event;
import dev.postcommit.layout.Layout;
import java.util.UUID;

/** The layouts that are tested. */
public final class Samples {
  /** The native layout. */
  public static final LayoutSample NATIVE = natively(Layout.nativeTable());

  /** The native layout without delivered rows. */
  public static final LayoutSample NATIVE_DELETING =
      natively(Layout.nativeTable().deletingOnDelivery());

  /** The modkit layout. */
  public static final LayoutSample MODKIT = modkit(Layout.modkit());

  /** The modkit layout without delivered rows. */
  public static final LayoutSample MODKIT_DELETING = modkit(Layout.modkit().deletingOnDelivery());

  private Samples() {}

  private static LayoutSample natively(Layout layout) {
    return new LayoutSample(layout, key -> Event.builder("happened").key(key), Samples::ofTenant);
  }

  private static LayoutSample modkit(Layout layout) {
    return new LayoutSample(
        layout,
        key -> Event.builder("happened").tenant(UUID.nameUUIDFromBytes(key.getBytes(UTF_8))),
        Samples::ofTenant);
  }

  private static Event ofTenant(UUID tenant) {
    return Event.builder("happened").tenant(tenant).json("1").build();
  }
}
