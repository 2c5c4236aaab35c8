package dev.postcommit.testkit.explorer.outbox;

import dev.postcommit.layout.Role;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.explorer.outbox.OutboxScenario.WriterPart;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** What may happen on any table but a log, whatever its storage. */
public final class ClaimStories {
  private static final String LOCK_ACCOUNT =
      "UPDATE accounts SET version = version + 1 WHERE key = 'a'";
  private static final String LOOK = "SELECT version FROM accounts WHERE key = 'b'";
  private static final Duration AN_HOUR = Duration.ofHours(1);

  private static final int GATE = 4711;

  /** Numbers that were used before: more than a relay looks through at once. */
  private static final int USED = 1_000_000;

  private final String prefix;
  private final LayoutSample sample;

  public ClaimStories(String prefix, LayoutSample sample) {
    this.prefix = prefix;
    this.sample = sample;
  }

  OutboxScenario.Builder named(String name) {
    OutboxScenario.Builder builder = OutboxScenario.of(prefix + "-" + name, sample);
    return sample.layout().claims().isPresent()
        ? builder.setUp(
            "ALTER TABLE %s ALTER COLUMN %s RESTART WITH %d"
                .formatted(sample.layout().table().sql(), sample.layout().sql(Role.SEQ), USED))
        : builder;
  }

  /** One event and one relay. */
  OutboxScenario.Builder smallest() {
    return named("smallest").writer("writer-1", "a1").actor("relay-1", ClaimRelay.of(1, 10)).once();
  }

  /** Two relays and two events that are there. */
  public OutboxScenario.Builder relays() {
    return named("relays")
        .actor("relay-1", ClaimRelay.of(1, 1))
        .actor("relay-2", ClaimRelay.of(1, 10))
        .actor("backlog", backlog("a1", "a2"))
        .once();
  }

  /** Writers of one key, one of which waits for the other's row lock with its transaction begun. */
  public OutboxScenario.Builder writers() {
    return named("writers")
        .writer(
            "writer-1",
            writer -> {
              writer.begin();
              writer.execute(LOCK_ACCOUNT);
              writer.enqueue("a1");
              writer.commit();
            })
        .writer(
            "writer-2",
            writer -> {
              writer.begin();
              writer.execute(LOOK);
              writer.execute(LOCK_ACCOUNT);
              writer.enqueue("a2");
              writer.commit();
            })
        .actor("relay-1", ClaimRelay.of(3, 1))
        .actor("relay-2", ClaimRelay.of(2, 10))
        .once();
  }

  /** A transaction that has begun before a claim, and writes after one that began later. */
  public OutboxScenario.Builder begun() {
    return named("begun")
        .writer("writer-1", "a1")
        .actor(
            "writer-2",
            new BegunWriter(
                writer -> {
                  writer.begin();
                  writer.execute(LOOK);
                },
                writer -> {
                  writer.enqueue("a2");
                  writer.commit();
                }))
        .actor("relay-1", ClaimRelay.of(2, 10).after("z1"))
        .actor("relay-2", ClaimRelay.of(2, 1))
        .once();
  }

  /** Savepoints, transactions in two phases, a session for each transaction, a killed writer. */
  OutboxScenario.Builder transactions() {
    return named("transactions")
        .writer(
            "writer-1",
            writer -> {
              writer.begin();
              writer.enqueue("a1");
              writer.savepoint();
              writer.enqueue("a2");
              writer.rollbackToSavepoint();
              writer.enqueue("a3");
              writer.commitInTwoPhases();
            })
        .writer(
            "writer-2",
            writer -> {
              writer.begin();
              writer.enqueue("a4");
              writer.commitAndDisconnect();
              writer.begin();
              writer.enqueue("b1");
              writer.rollback();
              writer.begin();
              writer.enqueue("a5");
              writer.commit();
            })
        .actor("relay-1", ClaimRelay.of(3, 2))
        .actor("relay-2", ClaimRelay.of(2, 10))
        .kill("writer-1")
        .once();
  }

  /** Two writers of one key, each with a session that it keeps. */
  public OutboxScenario.Builder sessions() {
    return named("sessions")
        .writer("writer-1", oneByOne("a1", "a2"))
        .writer("writer-2", oneByOne("a3", "a4"))
        .actor("relay-1", ClaimRelay.of(2, 10))
        .actor("relay-2", ClaimRelay.of(1, 10))
        .once();
  }

  private static WriterPart oneByOne(String first, String second) {
    return writer -> {
      writer.begin();
      writer.enqueue(first);
      writer.commit();
      writer.begin();
      writer.enqueue(second);
      writer.commitAndDisconnect();
    };
  }

  /** A writer that waits for a dedupe key of another, which gives it up. */
  OutboxScenario.Builder dedupe() {
    return named("dedupe")
        .writer("writer-1", deduplicated("a1", false))
        .writer(
            "writer-2",
            writer -> {
              deduplicated("a2", true).write(writer);
              writer.begin();
              writer.enqueue("a3");
              writer.commit();
            })
        .writer("writer-3", "b1")
        .actor("relay-1", ClaimRelay.of(3, 1))
        .actor("relay-2", ClaimRelay.of(2, 10))
        .once();
  }

  static WriterPart deduplicated(String event, boolean commits) {
    return writer -> {
      writer.begin();
      writer.enqueue(event, "once");
      if (commits) {
        writer.commit();
      } else {
        writer.rollback();
      }
    };
  }

  /** Leases end while relays are anywhere, and one of these is killed. */
  public OutboxScenario.Builder leases() {
    return named("leases")
        .writer("writer-1", "a1")
        .writer("writer-2", "a2")
        .actor("relay-1", ClaimRelay.of(2, 1).renews())
        .actor("relay-2", ClaimRelay.of(3, 10))
        .leasesEnd()
        .kill("relay-1");
  }

  /** A relay loses its sessions, and goes on. */
  OutboxScenario.Builder cutOff() {
    return named("cut-off")
        .writer("writer-1", two("a1", "b1"))
        .writer("writer-2", "a2")
        .actor("relay-1", ClaimRelay.of(3, 10).settlesEach())
        .actor("relay-2", ClaimRelay.of(2, 2))
        .leasesEnd()
        .cutOff("relay-1");
  }

  static WriterPart two(String first, String second) {
    return writer -> {
      writer.begin();
      writer.enqueue(first);
      writer.enqueue(second);
      writer.commit();
    };
  }

  /** Events that fail, and events that are given back. */
  public OutboxScenario.Builder retries() {
    return named("retries")
        .writer("writer-1", two("a1", "b1"))
        .writer("writer-2", two("a2", "b2"))
        .actor("relay-1", ClaimRelay.of(3, 2))
        .actor("relay-2", ClaimRelay.of(3, 10))
        .fails("a1", 1, AN_HOUR)
        .fails("a2", 1)
        .unavailable("b1", 2)
        .once();
  }

  /** A refused event, which stays dead. */
  public OutboxScenario.Builder dead() {
    return named("dead")
        .writer("writer-1", two("a1", "a2"))
        .writer("writer-2", two("b1", "a3"))
        .actor("relay-1", ClaimRelay.of(2, 1))
        .actor("relay-2", ClaimRelay.of(2, 10))
        .rejects("a1", 1)
        .once();
  }

  /** A refused event, and operators who decide on it while relays are paused and go on. */
  OutboxScenario.Builder operators() {
    return named("operators")
        .writer("writer-1", two("a1", "a2"))
        .writer("writer-2", "b1")
        .actor("relay-1", ClaimRelay.of(2, 1).asksForPause())
        .actor("relay-2", ClaimRelay.of(2, 10).asksForPause())
        .rejects("a1", 1)
        .rejects("b1")
        .replay("replaying")
        .discard("discarding")
        .pause("pausing");
  }

  /** Two relays, and a table whose rows are written behind a gate that another opens. */
  public OutboxScenario.Builder gate(String table, String write) {
    return named("gate")
        .setUp(
            """
            CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
              PERFORM pg_advisory_xact_lock(%d);
              RETURN NEW;
            END $$"""
                .formatted(GATE))
        .setUp(
            "CREATE TRIGGER gate BEFORE %s ON %s FOR EACH ROW EXECUTE FUNCTION wait_at_gate()"
                .formatted(write, table))
        .actor("backlog", backlog("a1", "a2"))
        .actor(
            "gate",
            (run, self) -> {
              try (Connection connection = self.connections().getConnection();
                  Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("SELECT pg_advisory_xact_lock(" + GATE + ")");
                connection.commit();
              }
            })
        .actor("relay-1", ClaimRelay.of(1, 1))
        .actor("relay-2", ClaimRelay.of(1, 10))
        .once();
  }

  /** Events that are there when the run begins. */
  static OutboxPlay.Part backlog(String... events) {
    List<String> names = List.of(events);
    return new OutboxPlay.Part() {
      @Override
      public void prepare(OutboxPlay run, Stage.Role self) throws SQLException {
        for (String event : names) {
          run.write(event);
        }
      }

      @Override
      public void play(OutboxPlay run, Stage.Role self) {}
    };
  }

  /** Parts that one actor plays one after the other. */
  static OutboxPlay.Part inTurn(OutboxPlay.Part... parts) {
    return new OutboxPlay.Part() {
      @Override
      public void prepare(OutboxPlay run, Stage.Role self) throws SQLException {
        for (OutboxPlay.Part part : parts) {
          part.prepare(run, self);
        }
      }

      @Override
      public void play(OutboxPlay run, Stage.Role self) throws Exception {
        for (OutboxPlay.Part part : parts) {
          part.play(run, self);
        }
      }
    };
  }
}
