package dev.postcommit.consumer;

import dev.postcommit.consumer.internal.json.DataDecoder;
import dev.postcommit.consumer.message.ReceivedEvent;
import java.sql.Connection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decodes the data of an event and calls the user's handler. */
@FunctionalInterface
interface DecodingHandler {

  void handle(@Nullable Connection tx, ReceivedEvent<byte[]> event, DataDecoder decoder)
      throws Exception;

  static <T> DecodingHandler of(Class<T> as, EventHandler<T> handler) {
    return (tx, event, decoder) -> handler.handle(event.withData(decoder.decode(event, as)));
  }

  static <T> DecodingHandler of(Class<T> as, TransactionalHandler<T> handler) {
    return (tx, event, decoder) ->
        handler.handle(
            Objects.requireNonNull(tx, "transaction"), event.withData(decoder.decode(event, as)));
  }
}
