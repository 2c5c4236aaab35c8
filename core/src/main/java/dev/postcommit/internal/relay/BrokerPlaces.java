package dev.postcommit.internal.relay;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.relay.health.Availability;
import dev.postcommit.internal.store.Places;
import dev.postcommit.relay.TransactionalPublisher;
import dev.postcommit.relay.TransactionalPublisher.Result;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The places that a broker keeps. */
record BrokerPlaces(TransactionalPublisher publisher, Availability broker) implements Places {

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
  public boolean record(Supplier<String> place) {
    Result result = publisher.deliver(List.of(), place);
    if (result instanceof Result.Unavailable unavailable) {
      broker.lost(unavailable.reason());
    }
    return result instanceof Result.Committed;
  }
}
