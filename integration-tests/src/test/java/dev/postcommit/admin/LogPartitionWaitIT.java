package dev.postcommit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What writers of a log notice of a new partition while many rows are in the default partition. */
class LogPartitionWaitIT extends LayoutFixture {
  private static final int ROWS = 400_000;
  private static final String WRITE =
      "INSERT INTO postcommit_log (id, topic, type, key, payload)"
          + " SELECT gen_random_uuid(), 't', 't', 'k' || i, '' FROM generate_series(1, %d) i";

  LogPartitionWaitIT() {
    super(Samples.LOG);
  }

  @Test
  @DisplayName("R1: writers wait less than 100 ms, whatever a relay does, meets or left behind")
  void writersHardlyWait() throws Exception {
    giveOut(25_000_000);
    execute(WRITE.formatted(ROWS));
    long before = count();

    int written = writeUntil("postcommit_log_4");

    assertThat(count()).isEqualTo(before + written);
    assertThat(leftovers()).isEmpty();

    // As a relay left it that was killed: a table that is no partition yet, and its constraint.
    giveOut(45_500_000);
    execute("CREATE TABLE postcommit_log_5 (LIKE postcommit_log INCLUDING DEFAULTS)");
    execute(
        "ALTER TABLE postcommit_log_rest ADD CONSTRAINT postcommit_kept_free_50000000_60000000"
            + " CHECK (NOT (seq >= 50000000 AND seq < 60000000)) NOT VALID");
    execute(
        "ALTER TABLE postcommit_log_rest ADD CONSTRAINT postcommit_kept_free_30000000_40000000"
            + " CHECK (NOT (seq >= 30000000 AND seq < 40000000)) NOT VALID");
    writeUntil("postcommit_log_5");
    assertThat(leftovers()).isEmpty();

    giveOut(55_500_000);
    assertThat(warningWhileInUse()).contains("lock timeout", "until that is done");
    writeUntil("postcommit_log_6");
    assertThat(leftovers()).isEmpty();
  }

  /** Writes without a pause until a relay has made a partition; returns how many rows. */
  private int writeUntil(String partition) throws InterruptedException {
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    AtomicReference<SQLException> failure = new AtomicReference<>();
    Thread writer =
        new Thread(
            () -> {
              try (Connection connection = dataSource().getConnection();
                  Statement statement = connection.createStatement()) {
                statement.execute("SET lock_timeout = '100ms'");
                while (!done.get()) {
                  statement.execute(WRITE.formatted(1));
                  written.incrementAndGet();
                }
                statement.execute("RESET lock_timeout");
              } catch (SQLException e) {
                failure.set(e);
              }
            });
    writer.start();
    try (OutboxStore store = store()) {
      awaitUntil(() -> written.get() > 10 || failure.get() != null);
      awaitUntil(
          () -> {
            deliver(store);
            return partitions().contains(partition) || failure.get() != null;
          });
      int then = written.get();
      awaitUntil(() -> written.get() > then + 10 || failure.get() != null);
    } finally {
      done.set(true);
      writer.join();
    }
    assertThat((Throwable) failure.get()).isNull();
    return written.get();
  }

  /** What is logged while a transaction that has written to the default partition stays open. */
  private String warningWhileInUse() {
    Logger logger = (Logger) LoggerFactory.getLogger("dev.postcommit.internal.admin");
    List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();
    AppenderBase<ILoggingEvent> appender =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            if (event.getLevel() == Level.WARN) {
              lines.add(event);
            }
          }
        };
    appender.start();
    logger.addAppender(appender);
    try (OutboxStore store = store()) {
      transaction(
          tx -> {
            tx.createStatement().execute("LOCK TABLE postcommit_log_rest IN ROW EXCLUSIVE MODE");
            awaitUntil(
                () -> {
                  deliver(store);
                  return !lines.isEmpty();
                });
          });
    } finally {
      logger.detachAppender(appender);
    }
    assertThat(partitions()).doesNotContain("postcommit_log_6");
    return lines.get(0).getFormattedMessage();
  }

  private long count() {
    long[] rows = new long[1];
    query("SELECT count(*) FROM postcommit_log", value -> rows[0] = Long.parseLong(value));
    return rows[0];
  }

  private void giveOut(long number) {
    query("SELECT setval('postcommit_log_seq', " + number + ", false)", value -> {});
  }

  private static void deliver(OutboxStore store) {
    Claim claim = store.claim(upTo(100));
    store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
  }

  private List<String> partitions() {
    List<String> names = new ArrayList<>();
    query(
        "SELECT inhrelid::regclass::text FROM pg_inherits"
            + " WHERE inhparent = 'postcommit_log'::regclass",
        names::add);
    return names;
  }

  private List<String> leftovers() {
    List<String> names = new ArrayList<>();
    query("SELECT conname FROM pg_constraint WHERE conname LIKE 'postcommit\\_kept%'", names::add);
    return names;
  }
}
