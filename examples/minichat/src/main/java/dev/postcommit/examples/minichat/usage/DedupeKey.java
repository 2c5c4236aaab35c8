package dev.postcommit.examples.minichat.usage;

import java.util.UUID;

/** The key of a usage event: {@code {tenant_id}/{turn_id}/{request_id}}. */
public final class DedupeKey {
  private DedupeKey() {}

  /** The key; each id is 32 lower-case hex digits. */
  public static String of(UUID tenant, UUID turn, UUID request) {
    return hex(tenant) + "/" + hex(turn) + "/" + hex(request);
  }

  private static String hex(UUID id) {
    return id.toString().replace("-", "");
  }
}
