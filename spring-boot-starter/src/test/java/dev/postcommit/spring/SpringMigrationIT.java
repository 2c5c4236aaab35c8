package dev.postcommit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.spring.settings.SetupException;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** R15: the outbox table of an application, by whom it wants. */
class SpringMigrationIT {
  private PostgresDatabase database;
  private JdbcTemplate observer;

  @BeforeEach
  void create() {
    database = PostgresServer.shared().createDatabase();
    observer = new JdbcTemplate(database.dataSource());
  }

  @AfterEach
  void drop() {
    database.close();
  }

  private ApplicationContextRunner application() {
    return Contexts.onDatabase(database.jdbcUrl(), database.username())
        .withUserConfiguration(Contexts.Published.class);
  }

  private static void delivers(ApplicationContext context) {
    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
        .executeWithoutResult(
            status -> context.getBean(SpringOutbox.class).enqueue(Orders.placed(1)));
    List<?> messages = context.getBean(Contexts.Published.class).messages;
    await().atMost(Duration.ofSeconds(20)).until(() -> messages.size() == 1);
  }

  private List<String> tables() {
    return observer.queryForList(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
        String.class);
  }

  @Test
  void aTableThatIsMissingKeepsTheApplicationFromStarting() {
    application()
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .isInstanceOf(SetupException.class)
                    .hasMessageContaining("there is no table postcommit_outbox")
                    .hasMessageContaining("postcommit.migrate=true")
                    .hasMessageContaining("./postcommit migrate")
                    .hasMessageContaining("your own Flyway")
                    .hasMessageContaining("set postcommit.outbox.enabled=false"));
  }

  @Test
  void aTableThatDoesNotFitKeepsTheApplicationFromStarting() {
    OutboxMigration.migrate(database.dataSource(), Layout.preset("logistik"));
    observer.execute("ALTER TABLE outbox_events DROP COLUMN retry_count");
    application()
        .withPropertyValues("postcommit.layout=logistik")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasMessageContaining("does not fit the logistik layout")
                    .hasMessageContaining("retry_count"));
  }

  @Test
  void theTableIsMadeOnRequest() {
    application().withPropertyValues("postcommit.migrate=true").run(SpringMigrationIT::delivers);
    assertThat(tables()).contains("postcommit_outbox", "postcommit_outbox_history");
    application()
        .withPropertyValues("postcommit.migrate=true")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void aLogIsMadeOnRequest() {
    application()
        .withPropertyValues("postcommit.migrate=true", "postcommit.layout=log")
        .run(SpringMigrationIT::delivers);
    assertThat(tables()).contains("postcommit_log", "postcommit_log_cursor");
  }

  @Test
  @DisplayName("R15: the application's Flyway and ours share a schema and keep histories apart")
  void theTableIsMadeAfterTheApplicationsOwn() {
    application()
        .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
        .withPropertyValues("postcommit.migrate=true", "spring.flyway.locations=classpath:db/own")
        .run(SpringMigrationIT::delivers);
    assertThat(tables())
        .contains(
            "orders", "flyway_schema_history", "postcommit_outbox", "postcommit_outbox_history");
  }

  /** What docs/spring/flyway.md says for those who want one history only. */
  @Test
  @DisplayName("R15: the application's own Flyway can run our scripts")
  void theApplicationsOwnFlywayRunsTheScripts() {
    application()
        .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
        .withPropertyValues(
            "spring.flyway.locations=classpath:db/own,classpath:db/postcommit/native,"
                + "classpath:db/postcommit/audit,classpath:db/postcommit/relay",
            "spring.flyway.placeholders.table=postcommit_outbox",
            "spring.flyway.placeholders.name=postcommit_outbox",
            "spring.flyway.placeholders.claims=postcommit_outbox_claim",
            "spring.flyway.placeholders.audit=postcommit_outbox_audit",
            "spring.flyway.placeholders.relays=postcommit_outbox_relay",
            "spring.flyway.placeholders.pause=postcommit_outbox_pause",
            "spring.flyway.placeholders.topics=postcommit_outbox_topic")
        .run(SpringMigrationIT::delivers);
    assertThat(tables())
        .contains("orders", "flyway_schema_history", "postcommit_outbox")
        .doesNotContain("postcommit_outbox_history");
  }

  @Test
  void aDatabaseThatDoesNotAnswerIsWaitedFor() {
    Contexts.withoutDatabase()
        .withUserConfiguration(Contexts.Published.class)
        .run(context -> assertThat(context).hasNotFailed());
  }
}
