package dev.postcommit.store.internal;

import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore.Taken;

/** No events, from a store that knows whether some have to wait for others. */
record Nothing(boolean leavesSome) implements Taken {
  @Override
  public int size() {
    return 0;
  }

  @Override
  public Claim read() {
    return Claim.EMPTY;
  }
}
