package dev.postcommit.spring;

import dev.postcommit.relay.Relay;
import org.jspecify.annotations.Nullable;

/** Has the relay of this application, while there is one, look for events now. */
public final class WakeUp implements Runnable {
  private volatile @Nullable Relay relay;

  /** The relay that runs from now on; null for none. */
  public void call(@Nullable Relay running) {
    relay = running;
  }

  @Override
  public void run() {
    @Nullable Relay running = relay;
    if (running != null) {
      running.wakeUp();
    }
  }
}
