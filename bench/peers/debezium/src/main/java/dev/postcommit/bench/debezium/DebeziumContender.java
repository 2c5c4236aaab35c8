package dev.postcommit.bench.debezium;

import dev.postcommit.bench.contender.Contender;
import dev.postcommit.bench.contender.Description;
import dev.postcommit.bench.contender.Environment;
import dev.postcommit.bench.contender.Tables;
import io.debezium.engine.DebeziumEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Debezium in the JVM of the service: rows of an outbox table are read from the log of the database
 * and sent to Kafka.
 *
 * <p>What waits is log that a replication slot retains, and a slot without a reader retains all
 * that others write. So {@link #reset} creates it, before there is a backlog, and {@link #stop}
 * drops it.
 */
final class DebeziumContender implements Contender {
  private final Environment environment;
  private final Slot slot;
  private @Nullable Relay relay;
  private @Nullable Path offsets;

  DebeziumContender(Environment environment) {
    this.environment = environment;
    this.slot = new Slot(environment.dataSource(), "debezium_outbox");
  }

  @Override
  public Description description() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("engine", "embedded (asynchronous), with transform outbox.EventRouter");
    settings.put("publication", "the table's inserts only");
    settings.put("order", "that of commits, and so by key");
    settings.put(
        "batches", "sent, flushed, then marked as processed; max.batch.size as by default");
    settings.put("rows", "kept; the relay never reads the table");
    settings.putAll(Settings.described());
    String version = DebeziumEngine.class.getPackage().getImplementationVersion();
    return new Description(version, settings);
  }

  @Override
  public void create() throws Exception {
    Tables.execute(environment.dataSource(), OutboxTable.DDL);
    Tables.execute(
        environment.dataSource(),
        "CREATE PUBLICATION "
            + Settings.PUBLICATION
            + " FOR TABLE "
            + OutboxTable.NAME
            + " WITH (publish = 'insert')");
  }

  @Override
  public List<String> tables() {
    return List.of(OutboxTable.NAME);
  }

  @Override
  public void reset() throws Exception {
    Contender.super.reset();
    slot.recreate();
  }

  @Override
  public void inTransaction(Body body) throws Exception {
    try (Connection connection = environment.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      try {
        body.run(connection, events -> OutboxTable.insert(connection, events));
        connection.commit();
      } catch (Exception e) {
        connection.rollback();
        throw e;
      }
    }
  }

  @Override
  public void start() throws Exception {
    offsets = Files.createTempFile("debezium", ".offsets");
    relay =
        Relay.start(
            Settings.engine(environment, slot.name(), offsets), Settings.producer(environment));
    slot.awaitActive(true);
  }

  @Override
  public void stop() throws Exception {
    if (relay != null) {
      relay.stop();
      relay = null;
    }
    if (offsets != null) {
      Files.delete(offsets);
      offsets = null;
    }
    slot.drop();
  }

  @Override
  public long dead() {
    return 0;
  }

  @Override
  public Environment environment() {
    return environment;
  }

  @Override
  public void close() {
    try {
      stop();
    } catch (Exception e) {
      throw new IllegalStateException("the slot may still be there", e);
    }
  }
}
