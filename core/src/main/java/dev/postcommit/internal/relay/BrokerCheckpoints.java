package dev.postcommit.internal.relay;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.relay.health.Availability;
import dev.postcommit.internal.store.Checkpoints;
import dev.postcommit.relay.TransactionalPublisher;
import dev.postcommit.relay.TransactionalPublisher.Result;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Checkpoints that a broker stores. */
record BrokerCheckpoints(TransactionalPublisher publisher, Availability broker)
    implements Checkpoints {

  @Override
  public Optional<Begun> begin() {
    try {
      return Optional.of(new Begun(publisher.begin().orElse(null)));
    } catch (PostcommitException e) {
      broker.lost(String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  @Override
  public boolean record(Supplier<String> checkpoint) {
    Result result = publisher.deliver(List.of(), checkpoint);
    if (result instanceof Result.Unavailable unavailable) {
      broker.lost(unavailable.reason());
    }
    return result instanceof Result.Committed;
  }
}
