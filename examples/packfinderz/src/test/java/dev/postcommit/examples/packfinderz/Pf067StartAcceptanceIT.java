package dev.postcommit.examples.packfinderz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.testkit.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PF-067, how the publisher is started, and what is to be read about it. */
@DisplayName("R57: PF-067, Outbox worker build, local run, and system write-up: starting, reading")
class Pf067StartAcceptanceIT {
  private static final String MAKE_TARGET = "run-outbox-publisher";

  /** The longest error that is kept. */
  private static final int BOUND = 1024;

  @TempDir private Path directory;

  @Test
  @DisplayName("make run-outbox-publisher starts the worker locally")
  void makeStartsTheWorkerOnTheServersThatTheSettingsName()
      throws IOException, SQLException, InterruptedException {
    Checkout checkout = new Checkout(directory);
    try (Stage own = new Stage();
        ShellCommand make = checkout.run("Makefile", MAKE_TARGET, own.environment())) {
      make.awaitStart();
      own.awaitPublished(own.upload());
      assertThat(make.terminate()).as(make.output()).isZero();
    }
  }

  @Test
  @DisplayName("make run-outbox-publisher (or equivalent) starts the worker locally")
  void makeStartsTheWorkerWithServersOfItsOwn()
      throws IOException, SQLException, InterruptedException {
    Checkout checkout = new Checkout(directory);
    try (ShellCommand make =
        checkout.run("examples/packfinderz/Makefile", MAKE_TARGET, Sandboxed.ENVIRONMENT)) {
      make.awaitStart();
      assertThat(make.output())
          .contains("starting a Postgres for this run", "starting a Pub/Sub server for this run")
          .contains("./postcommit status --layout packfinderz");
      Sandboxed.awaitDelivery(make);
      assertThat(make.terminate()).as(make.output()).isZero();
    }
  }

  @Test
  @DisplayName("README or /docs/outbox.md exists and is accurate")
  void thePageSaysWhatIsSo() throws IOException {
    WriteUp.says("## What it does", "## How rows are claimed", "### Why SKIP LOCKED");
    WriteUp.says("## Failure and retry", "### Why duplicates are acceptable", "### Why Redis");
    WriteUp.says("## What a crash does", "### The relay", "### The consumer");
    WriteUp.says("cut to %,d characters".formatted(BOUND), WriteUp.retries(), WriteUp.key());
  }

  @Test
  @DisplayName("Write-up explicitly documents: at-least-once semantics")
  void thePageTellsOfAtLeastOnce() throws IOException {
    WriteUp.says(
        "## At least once",
        "Each committed event therefore arrives once or more, or is dead and kept.");
  }

  @Test
  @DisplayName("Write-up explicitly documents: duplicate publish behavior")
  void thePageTellsOfDuplicates() throws IOException {
    WriteUp.says(
        "sent first, recorded after the acknowledgement, and sent again if the recording",
        "A duplicate has the same `event_id`, key and body as the first.");
  }

  @Test
  @DisplayName("Write-up explicitly documents: consumer idempotency requirement")
  void thePageTellsWhatConsumersMustDo() throws IOException {
    WriteUp.says(
        "**Duplicates are possible; consumers must be idempotent.**",
        "What it asks of a consumer: use an [inbox](consumers.md#choosing-an-inbox)");
  }

  @Test
  @DisplayName("Heroku can run the publisher as its own process/dyno")
  void herokuRunsThePublisherAsAProcessOfItsOwn()
      throws IOException, SQLException, InterruptedException {
    assertThat(Heroku.dockerfile()).exists();
    assertThat(Repository.ROOT.resolve(Heroku.jar()))
        .as("what 'mvn -Dquick package -pl server -am' makes")
        .exists();
    try (Stage own = new Stage();
        ShellCommand dyno = new ShellCommand(Heroku.worker(), Repository.ROOT, own.environment())) {
      dyno.awaitStart();
      own.awaitPublished(own.upload());
      assertThat(dyno.terminate()).as(dyno.output()).isZero();
    }
  }

  @Test
  @DisplayName("Config knobs exist and default safely")
  void knobsHaveSafeDefaultsAndWrongValuesAreRefused() {
    try (Stage own = new Stage()) {
      ChildProcess mistaken =
          own.publisher().environment("PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE", "0").start();
      assertThat(Stage.started(own.publisher()).output())
          .contains("batch-size 50, ", "poll-interval 500ms, ", "max-attempts 25, ")
          .contains("route fixed:pf-domain-events, ");
      assertThat(mistaken.awaitExit(Stage.PATIENCE)).isEqualTo(2);
      assertThat(mistaken.output())
          .contains("PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE: '0' is not a whole number from 1 to");
    }
  }
}
