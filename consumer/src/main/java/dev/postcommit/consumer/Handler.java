package dev.postcommit.consumer;

import java.sql.Connection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A handler together with the decoding of what it takes. */
@FunctionalInterface
interface Handler {

  void handle(@Nullable Connection tx, ReceivedEvent<byte[]> event, DataDecoder decoder)
      throws Exception;

  static <T> Handler of(Class<T> as, EventHandler<T> handler) {
    return (tx, event, decoder) -> handler.handle(event.withData(decoder.decode(event, as)));
  }

  static <T> Handler of(Class<T> as, TransactionalHandler<T> handler) {
    return (tx, event, decoder) ->
        handler.handle(
            Objects.requireNonNull(tx, "transaction"), event.withData(decoder.decode(event, as)));
  }
}
