package dev.postcommit.internal.store;

import dev.postcommit.internal.store.RelayStore.Taken;
import dev.postcommit.store.Claim;

/** No events, from a store that knows whether some have to wait for others. */
public record Nothing(boolean leavesSome) implements Taken {
  @Override
  public int size() {
    return 0;
  }

  @Override
  public Claim read() {
    return Claim.EMPTY;
  }
}
