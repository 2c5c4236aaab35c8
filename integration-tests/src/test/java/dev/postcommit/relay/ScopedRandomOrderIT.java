package dev.postcommit.relay;

import dev.postcommit.Event;
import dev.postcommit.testkit.contract.Samples;

/** Held relays side by side, as those of one namespace do not take turns: locks keep the order. */
class ScopedRandomOrderIT extends RandomOrder {
  ScopedRandomOrderIT() {
    super(Samples.HELD_NATIVE);
  }

  @Override
  protected Relay.Builder relay(Publisher publisher) {
    return super.relay(publisher).namespace(Event.DEFAULT_NAMESPACE);
  }
}
