package dev.postcommit.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.fixture.TableShape;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.Grants;
import dev.postcommit.store.LayoutCheck;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What a log needs besides tables, against the catalogue of a live database. */
class LogCheckIT {
  private static final Layout LOG = Layout.log();

  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final String user = "relay_" + database.name();
  private final String noSequence =
      "user %1$s may not SELECT on postcommit_log_seq; GRANT SELECT ON SEQUENCE postcommit_log_seq TO %1$s"
          .formatted(user);
  private final String noFunction =
      "user %1$s may not EXECUTE on pg_control_system(); GRANT EXECUTE ON FUNCTION pg_control_system() TO %1$s"
          .formatted(user);

  /** All rights of a relay but two. */
  @BeforeEach
  void migrate() throws SQLException {
    OutboxMigration.migrate(database.dataSource(), LOG);
    execute(
        "CREATE ROLE %s LOGIN".formatted(user),
        "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
    execute(Grants.relay(LOG, true, user).toArray(String[]::new));
    execute(
        "REVOKE SELECT ON SEQUENCE postcommit_log_seq FROM " + user,
        "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM " + user);
  }

  @AfterEach
  void close() throws SQLException {
    execute("DROP OWNED BY " + user, "DROP ROLE " + user);
    database.close();
  }

  private void execute(String... statements) throws SQLException {
    TableShape.execute(database.dataSource(), statements);
  }

  private PGSimpleDataSource login() {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(database.jdbcUrl());
    dataSource.setUser(user);
    return dataSource;
  }

  private List<String> problems() {
    return LayoutCheck.of(login(), LOG).relay();
  }

  @Test
  @DisplayName("rights on the sequence and on the function that tells the cluster are asked for")
  void missingRightsAreNamed() throws SQLException {
    assertThat(problems()).containsExactly(noSequence, noFunction);

    execute("GRANT SELECT ON postcommit_log_seq TO " + user);
    assertThat(problems()).containsExactly(noFunction);

    execute("GRANT EXECUTE ON FUNCTION pg_control_system() TO " + user);
    assertThat(problems()).isEmpty();
  }

  @Test
  @DisplayName("a log whose sequence has another name does not fit")
  void theSequenceMustHaveItsName() throws SQLException {
    execute("ALTER SEQUENCE postcommit_log_seq RENAME TO numbers");

    assertThat(LayoutCheck.of(database.dataSource(), LOG).relay())
        .containsExactly(
            "there is no sequence postcommit_log_seq, which numbers the rows; rename the one of"
                + " column seq to that");
  }

  @Test
  @DisplayName("a relay that lacks a right of a log says so once, and starts when it has it")
  void aRelaySaysWhatToGrant() throws SQLException {
    List<String> reasons = new CopyOnWriteArrayList<>();
    RelayListener listener =
        new RelayListener() {
          @Override
          public void databaseUnavailable(String reason) {
            reasons.add(reason);
          }
        };
    Publisher publisher = Publisher.callback(Duration.ofSeconds(1), message -> {});
    try (Relay relay =
        Relay.builder(login(), publisher)
            .layout(LOG)
            .pollInterval(Duration.ofMillis(20))
            .listener(listener)
            .build()) {
      relay.start();
      await().until(() -> relay.state() == Relay.State.DATABASE_UNAVAILABLE);
      execute(
          "GRANT SELECT ON postcommit_log_seq TO " + user,
          "GRANT EXECUTE ON FUNCTION pg_control_system() TO " + user);
      await().until(() -> relay.state() == Relay.State.RUNNING);
    }
    assertThat(reasons).first().isEqualTo(noSequence + "; " + noFunction);
  }
}
