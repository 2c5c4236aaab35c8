package dev.postcommit.spring;

import dev.postcommit.relay.Relay;
import org.jspecify.annotations.Nullable;

/** Wakes up the relay of this application, while one runs. */
public final class WakeUp implements Runnable {
  private volatile @Nullable Relay relay;

  /** Sets the relay that runs from now on; null for none. */
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
