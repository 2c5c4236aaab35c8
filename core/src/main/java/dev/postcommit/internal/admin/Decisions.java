package dev.postcommit.internal.admin;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin.Action;
import dev.postcommit.store.OutboxAdmin.AuditEntry;
import dev.postcommit.store.UnfinishedDecisionException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.LongConsumer;

/** Carries out decisions on dead events, and reads the audit table. */
final class Decisions {
  private static final int BATCH = 1000;

  private final Database database;
  private final DeadEvents dead;
  private final DecisionSql sql;

  Decisions(Database database, DeadEvents dead) {
    this.database = database;
    this.dead = dead;
    this.sql = DecisionSql.of(database.layout());
  }

  long replay(DeadFilter filter, Decision decision, LongConsumer soFar) {
    return new Change("replay dead events of", sql.replay(), decision, soFar).apply(filter);
  }

  long discard(DeadFilter filter, Decision decision, LongConsumer soFar) {
    return new Change("discard dead events of", sql.discard(), decision, soFar).apply(filter);
  }

  /** One decision that is carried out, page by page. */
  private final class Change {
    private final String what;
    private final NamedSql statement;
    private final Decision decision;
    private final LongConsumer soFar;
    private long changed;

    Change(String what, NamedSql statement, Decision decision, LongConsumer soFar) {
      this.what = what;
      this.statement = statement;
      this.decision = decision;
      this.soFar = soFar;
    }

    long apply(DeadFilter filter) {
      try (DeadPages pages = dead.pages(filter, BATCH)) {
        List<String> first = pages.next();
        return first.isEmpty() ? 0 : database.run(what, c -> change(c, first, pages));
      } catch (SQLException e) {
        throw partial(database.failure(what, e));
      } catch (PostcommitException e) {
        throw partial(e);
      }
    }

    /** Each page is a statement, and so a transaction. */
    private long change(Connection connection, List<String> first, DeadPages pages)
        throws SQLException {
      try (NamedStatement to = statement.prepare(connection)) {
        to.set("operator", decision.operator()).set("reason", decision.reason());
        for (List<String> page = first; !page.isEmpty(); page = pages.next()) {
          changed += to.setTexts("ids", page).update();
          soFar.accept(changed);
        }
      }
      return changed;
    }

    private PostcommitException partial(PostcommitException e) {
      return changed == 0 ? e : new UnfinishedDecisionException(e, changed);
    }
  }

  List<AuditEntry> audit(int limit) {
    return database.run(
        "read the audit of", sql.audit(), to -> to.set("limit", limit).rows(Decisions::entry));
  }

  private static AuditEntry entry(ResultSet row) throws SQLException {
    return new AuditEntry(
        row.getLong("id"),
        row.getObject("at", OffsetDateTime.class).toInstant(),
        Action.valueOf(row.getString("action")),
        row.getString("operator"),
        row.getString("reason"),
        row.getString("event_id"),
        row.getString("event_type"),
        row.getString("aggregate_type"),
        row.getString("aggregate_id"),
        row.getInt("attempts"),
        row.getString("error"));
  }
}
