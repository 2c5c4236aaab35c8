package dev.postcommit.internal.relay.health;

import dev.postcommit.internal.store.RelayRow.Identity;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/** What a relay says of itself. */
public final class Self {
  private Self() {}

  public static Identity as(UUID relay) {
    return new Identity(
        relay,
        host(),
        ProcessHandle.current().pid(),
        Self.class.getPackage().getImplementationVersion());
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
