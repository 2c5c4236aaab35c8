package dev.postcommit.internal.store;

import dev.postcommit.internal.jdbc.Catalogue;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.RecordedErrors;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin.TopicOutage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The table in which the relays of an outbox table tell each other, and operators, which topics
 * take no messages.
 *
 * <p>The table need not be there, and the user need not have privileges on it: {@link #problem}
 * finds out. For use by one thread at a time.
 */
public final class TopicRegistry {

  /**
   * A topic that takes no messages.
   *
   * @param reason what is wrong with it, and what to do
   * @param since when that was first found, by the database's clock
   * @param givenUpAt events written until then are given up, as an operator decided; null if none
   *     did
   * @param givenUp who decided that, and why
   */
  public record Entry(
      String topic,
      String reason,
      Instant since,
      @Nullable Instant givenUpAt,
      @Nullable String givenUp) {}

  /**
   * What the table says.
   *
   * @param now the database's time
   */
  public record Contents(Instant now, List<Entry> topics) {}

  /** A topic that has not been probed for a day has a new story when it fails again. */
  private static final String REPORT =
      """
      WITH forgotten AS (
        DELETE FROM {topics}
        WHERE seen_at < clock_timestamp() - interval '1 day' AND topic <> ALL (CAST(:topics AS text[])))
      INSERT INTO {topics} AS t (topic, reason, since, seen_at)
      SELECT topic, reason, clock_timestamp(), clock_timestamp()
      FROM unnest(CAST(:topics AS text[]), CAST(:reasons AS text[])) AS r(topic, reason)
      ORDER BY topic
      ON CONFLICT (topic) DO UPDATE SET reason = excluded.reason, seen_at = excluded.seen_at,
        since = CASE WHEN t.seen_at < clock_timestamp() - interval '1 day'
          THEN excluded.since ELSE t.since END""";

  /** What no relay has confirmed for a minute may not be so any more. */
  private static final String READ =
      """
      SELECT n.now, t.topic, t.reason, t.since, t.given_up_at,
        t.given_up_by || coalesce(': ' || t.given_up_reason, '') AS given_up
      FROM (SELECT clock_timestamp() AS now) n
        LEFT JOIN {topics} t ON t.seen_at > n.now - interval '1 minute'
      ORDER BY t.since""";

  private static final String OUTAGES =
      """
      SELECT topic, reason, since, given_up_at, given_up_by, given_up_reason,
        extract(epoch FROM clock_timestamp() - since) * 1000 AS lasting_millis
      FROM {topics} WHERE seen_at > clock_timestamp() - interval '1 day' ORDER BY since, topic""";

  private static final String GIVE_UP =
      """
      UPDATE {topics} SET
        given_up_at = clock_timestamp(), given_up_by = :operator, given_up_reason = :reason
      WHERE topic = :topic AND seen_at > clock_timestamp() - interval '1 day'""";

  private static final String REMOVE = "DELETE FROM {topics} WHERE topic = :topic";

  private final Database database;
  private final NamedSql report;
  private final NamedSql read;
  private final NamedSql remove;
  private final NamedSql outages;
  private final NamedSql giveUp;

  /** No I/O yet. */
  public TopicRegistry(DataSource dataSource, Layout layout) {
    this(new Database(dataSource, layout));
  }

  public TopicRegistry(Database database) {
    this.database = database;
    SqlTemplate template = new SqlTemplate(database.layout());
    this.report = template.statement(REPORT);
    this.read = template.statement(READ);
    this.remove = template.statement(REMOVE);
    this.outages = template.statement(OUTAGES);
    this.giveUp = template.statement(GIVE_UP);
  }

  /** Why the table cannot be used and what to do, if it cannot. */
  public Optional<String> problem() {
    return database.run(
        "look for the side tables of",
        connection -> {
          List<String> problems = new ArrayList<>();
          RelayRow.isUsable(
              new Catalogue(connection),
              database.layout(),
              database.layout().topics(),
              "relays and 'postcommit topics' do not learn which topics take no messages, and"
                  + " nothing is given up after a time",
              problems);
          return problems.stream().findFirst();
        });
  }

  /** Reports topics that take no messages, with the reasons. */
  public void report(Map<String, String> unavailable) {
    String[] topics = unavailable.keySet().toArray(String[]::new);
    String[] reasons =
        Stream.of(topics).map(unavailable::get).map(RecordedErrors::bounded).toArray(String[]::new);
    database.run(
        "report topics that take no messages from",
        report,
        to -> to.set("topics", topics).set("reasons", reasons).update());
  }

  /** Reads what relays have reported. */
  public Contents read() {
    return database.run(
        "read which topics take no messages from",
        read,
        to -> {
          Instant[] now = {Instant.EPOCH};
          List<Entry> topics = new ArrayList<>();
          to.forEach(
              row -> {
                now[0] = Pauses.time(row, "now");
                if (row.getString("topic") != null) {
                  topics.add(entry(row));
                }
              });
          return new Contents(now[0], List.copyOf(topics));
        });
  }

  private static Entry entry(ResultSet row) throws SQLException {
    @Nullable OffsetDateTime givenUpAt = row.getObject("given_up_at", OffsetDateTime.class);
    return new Entry(
        row.getString("topic"),
        row.getString("reason"),
        Pauses.time(row, "since"),
        givenUpAt == null ? null : givenUpAt.toInstant(),
        row.getString("given_up"));
  }

  /** See {@link dev.postcommit.store.OutboxAdmin#topics}. */
  public Optional<List<TopicOutage>> outages() {
    return database.rows(
        "read which topics take no messages from",
        database.layout().topics(),
        outages,
        TopicRegistry::outage);
  }

  private static TopicOutage outage(ResultSet row) throws SQLException {
    return new TopicOutage(
        row.getString("topic"),
        row.getString("reason"),
        Pauses.time(row, "since"),
        Pauses.millis(row, "lasting_millis"),
        Pauses.read(row, "given_up_at", "given_up_by", "given_up_reason").orElse(null));
  }

  /** See {@link dev.postcommit.store.OutboxAdmin#giveUp}. */
  public boolean giveUp(String topic, Decision decision) {
    return database.run(
        "give up events that wait for a topic of",
        giveUp,
        to ->
            to.set("operator", decision.operator())
                    .set("reason", decision.reason())
                    .set("topic", topic)
                    .update()
                > 0);
  }

  /** A topic takes messages again. */
  public void remove(String topic) {
    database.run(
        "report that a topic takes messages from", remove, to -> to.set("topic", topic).update());
  }
}
