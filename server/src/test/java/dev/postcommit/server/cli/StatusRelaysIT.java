package dev.postcommit.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.server.CapturedTerminal;
import dev.postcommit.server.OutboxFixture;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code status}, {@code pause} and {@code resume} say of relays. */
class StatusRelaysIT {
  private final OutboxFixture fixture = new OutboxFixture();
  private final CapturedTerminal terminal = fixture.terminal();
  private volatile Optional<String> problem = Optional.empty();

  @BeforeEach
  void migrate() {
    fixture.migrate();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Relay started() {
    Publisher publisher =
        new Publisher() {
          @Override
          public CompletionStage<Delivery> send(Message message) {
            return CompletableFuture.completedFuture(Delivery.DELIVERED);
          }

          @Override
          public Optional<String> problem() {
            return problem;
          }

          @Override
          public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
          }
        };
    Relay relay = Relay.builder(fixture.database().dataSource(), publisher).build();
    relay.start();
    return relay;
  }

  private String run(String... args) {
    assertThat(terminal.run(args)).as(terminal.err()).isZero();
    return terminal.out();
  }

  @Test
  @DisplayName("R49: status counts idle relays, and says how each stands and what it delivers")
  void idleRelaysAreCounted() throws SQLException {
    try (Relay relay = started()) {
      fixture.enqueue(Event.builder("order.placed").key("k").json("1"));
      await().until(() -> run("status", "--json").contains("\"delivered\":1,"));
      String name = relay.id().toString().substring(0, 8) + " on ";
      run("status");
      assertThat(terminal.outLines())
          .contains("  pending    0", "  relays     1")
          .anyMatch(line -> line.startsWith("  rate       ") && line.endsWith("/s"))
          .anyMatch(
              line ->
                  line.startsWith("    " + name)
                      && line.contains("/" + ProcessHandle.current().pid() + ": running for "));
      assertThat(terminal.out()).doesNotContain("paused");
      assertThat(run("status", "--json"))
          .contains("\"relays\":1,\"delivered_per_second\":", "\"paused\":null")
          .contains("\"relay_states\":[{\"id\":\"" + relay.id(), "\"state\":\"running\"");
    }
    run("status");
    assertThat(terminal.outLines()).contains("  relays     0", "  rate       0/s");
  }

  @Test
  @DisplayName("R49: status shows the broker's outage as the relays see it")
  void anOutageIsShown() {
    problem = Optional.of("nobody listens at port 9");
    try (Relay relay = started()) {
      await().until(() -> run("status").contains(": broker unavailable for "));
      assertThat(terminal.out()).contains(": nobody listens at port 9");
      assertThat(run("status", "--json"))
          .contains("\"state\":\"broker-unavailable\"", "\"reason\":\"nobody listens at port 9\"");
      assertThat(relay.state()).isEqualTo(Relay.State.BROKER_UNAVAILABLE);
    }
  }

  @Test
  @DisplayName("without the tables for it, status counts relays that are delivering something")
  void tablesOfAnEarlierVersionWillDo() throws SQLException {
    fixture.execute(
        "DROP TABLE postcommit_outbox_relay, postcommit_outbox_pause, postcommit_outbox_topic");
    run("status");
    assertThat(terminal.outLines()).contains("  relays     0", "  rate       -");
    assertThat(run("status", "--json")).contains("\"delivered_per_second\":null");
    assertThat(terminal.run("pause")).isEqualTo(1);
    assertThat(terminal.err())
        .hasLineCount(1)
        .contains("postcommit_outbox_pause", "; run 'postcommit migrate' first");
  }

  @Test
  @DisplayName("pause and resume say what they changed, and status who paused and why")
  void pausingIsTold() {
    try (Relay relay = started()) {
      assertThat(run("pause", "--reason", "broker upgrade"))
          .startsWith("postcommit_outbox at jdbc:")
          .contains(" is paused; relays claim nothing more within a few seconds");
      assertThat(run("pause", "--operator", "eve"))
          .contains(" is paused already, by grace: broker upgrade (since ");
      await().until(() -> relay.state() == Relay.State.PAUSED);
      run("status");
      assertThat(terminal.outLines())
          .anyMatch(line -> line.startsWith("  paused     by grace: broker upgrade (since "));
      assertThat(run("status", "--json"))
          .contains("\"operator\":\"grace\",\"reason\":\"broker upgrade\"}");
      assertThat(run("pause", "--json"))
          .startsWith("{\"table\":\"postcommit_outbox\",\"changed\":false,\"paused\":true,")
          .contains("\"operator\":\"grace\"");

      assertThat(run("resume")).contains(" is resumed; relays go on within a few seconds");
      assertThat(run("resume")).contains(" was not paused");
      assertThat(run("resume", "--json"))
          .isEqualToIgnoringNewLines(
              "{\"table\":\"postcommit_outbox\",\"changed\":false,\"paused\":false}");
      await().until(() -> relay.state() == Relay.State.RUNNING);
    }
  }
}
