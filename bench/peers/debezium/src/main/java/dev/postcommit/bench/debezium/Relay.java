package dev.postcommit.bench.debezium;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.connect.source.SourceRecord;

/** An engine that runs, and the producer it sends with. */
final class Relay {
  private final KafkaHandler handler;
  private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
  private final CompletableFuture<Void> running;

  private Relay(KafkaHandler handler, Properties settings) {
    this.handler = handler;
    this.engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(settings)
            .notifying(handler)
            .using(
                (boolean success, String message, Throwable error) -> {
                  if (!success) {
                    throw new IllegalStateException(message, error);
                  }
                })
            .build();
    this.running = CompletableFuture.runAsync(engine, task -> new Thread(task, "relay").start());
  }

  static Relay start(Properties settings, Map<String, Object> producer) {
    return new Relay(new KafkaHandler(producer), settings);
  }

  /** Returns when the engine has ended. */
  void stop() throws IOException, InterruptedException {
    try {
      engine.close();
      running.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the engine failed", e.getCause());
    } finally {
      handler.close();
    }
  }
}
