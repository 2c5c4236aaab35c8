package dev.postcommit.server.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.TableName;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.settings.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxTableTest {

  private static OutboxTable table(Map<String, String> flags) {
    Map<String, String> all = new HashMap<>(flags);
    all.putIfAbsent("database-url", "jdbc:postgresql://db:5432/app");
    return OutboxTable.of(Settings.read(all, null, Map.of(), Path.of("no such directory")));
  }

  @Test
  void thePasswordIsNeverShown() {
    OutboxTable table =
        table(
            Map.of(
                "database-url", "jdbc:postgresql://db:5432/app?user=me&password=hunter2",
                "database-password", "hunter2"));
    assertThat(table.toString())
        .isEqualTo("postcommit_outbox at jdbc:postgresql://db:5432/app")
        .doesNotContain("hunter2");
  }

  @Test
  void theLayoutDecidesTheTableUnlessOneIsGiven() {
    assertThat(table(Map.of()).layout()).isEqualTo(Layout.nativeTable());
    assertThat(table(Map.of("layout", "log")).layout()).isEqualTo(Layout.log());
    assertThat(table(Map.of("layout", "log", "table", "billing.events")).layout())
        .isEqualTo(Layout.log(TableName.of("billing.events")));
    assertThat(table(Map.of("layout", "modkit")).layout()).isEqualTo(Layout.preset("modkit"));
    assertThat(table(Map.of("layout", "logistik")).layout()).isEqualTo(Layout.preset("logistik"));
    assertThat(table(Map.of("layout", "packfinderz")).layout())
        .isEqualTo(Layout.preset("packfinderz"));
    assertThat(table(Map.of("layout", "polyshop")).layout()).isEqualTo(Layout.preset("polyshop"));
    assertThat(table(Map.of("layout", "polyshop", "table", "shop.events")).layout())
        .isEqualTo(Layout.preset("polyshop", TableName.of("shop.events")));
    assertThat(table(Map.of("table", "billing.outbox")).layout().table())
        .hasToString("billing.outbox");
  }

  @Test
  void deliveredRowsAreKeptUnlessTheyAreToBeDeleted() {
    assertThat(table(Map.of()).layout().keepsDelivered()).isTrue();
    assertThat(table(Map.of("on-delivery", "delete")).layout().keepsDelivered()).isFalse();
    assertThatThrownBy(() -> table(Map.of("layout", "log", "on-delivery", "delete")))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("leave --on-delivery out, and give --retention");
  }

  @Test
  @DisplayName("R47: unless given, attempts and delays are those of the layout")
  void attemptsAndDelaysAreThoseOfTheLayout() {
    assertThat(retries("native")).isEqualTo(RetryPolicy.DEFAULT);
    assertThat(retries("native").maxAttempts()).isEqualTo(20);
    assertThat(retries("log")).isEqualTo(RetryPolicy.DEFAULT);
    assertThat(retries("packfinderz").maxAttempts()).isEqualTo(25);
    assertThat(retries("packfinderz").maxDelay()).isEqualTo(Duration.ofSeconds(10));
    assertThat(retries("logistik").maxAttempts()).isEqualTo(5);
    assertThat(retries("logistik").jitter()).isZero();
    assertThat(retries("polyshop").maxAttempts()).isEqualTo(RetryPolicy.UNLIMITED);

    Map<String, String> given =
        Map.of("layout", "logistik", "max-attempts", "10", "retry-base-delay", "2s");
    assertThat(table(given).layout().retryPolicy())
        .isEqualTo(new RetryPolicy(10, Duration.ofSeconds(2), Duration.ofMinutes(5), 0));
    assertThatThrownBy(() -> table(Map.of("layout", "packfinderz", "retry-base-delay", "1m")))
        .hasMessage("--retry-base-delay (1m) must be at most retry-max-delay (10s)");
  }

  private static RetryPolicy retries(String layout) {
    return table(Map.of("layout", layout)).layout().retryPolicy();
  }

  @Test
  @DisplayName("R26: dead rows of a flagged table are kept or marked processed")
  void deadRowsAreKeptOrMarked() {
    assertThat(table(Map.of("layout", "polyshop")).layout().lifecycle())
        .isEqualTo(new ProcessedFlag(false));
    Map<String, String> marking = Map.of("layout", "polyshop", "dead-rows", "mark-processed");
    assertThat(table(marking).layout().lifecycle()).isEqualTo(new ProcessedFlag(true));
    assertThatThrownBy(() -> table(Map.of("layout", "logistik", "dead-rows", "keep")))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("the logistik layout has none, leave it out");
  }

  @Test
  void aFileDescribesTheTableInPlaceOfLayoutAndTable(@TempDir Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("events.properties"),
            """
            table = legacy.events
            lifecycle = processed-flag
            column.id = id bigint
            column.type = kind text
            column.payload = body text
            column.created-at = at timestamp
            column.processed = done boolean
            retry.max-attempts = 7
            """);
    String path = file.toString();

    Layout layout = table(Map.of("layout-file", path, "on-delivery", "delete")).layout();
    assertThat(layout.table()).hasToString("legacy.events");
    assertThat(layout.retryPolicy().maxAttempts()).isEqualTo(7);
    assertThat(layout.keepsDelivered()).isFalse();
    assertThat(
            table(Map.of("layout-file", path, "max-attempts", "9", "dead-rows", "mark-processed"))
                .layout()
                .retryPolicy()
                .maxAttempts())
        .isEqualTo(9);
    assertThatThrownBy(() -> table(Map.of("layout-file", path, "table", "other")))
        .isInstanceOf(SettingException.class)
        .hasMessage(
            "--table is 'other', and --layout-file defines the table and its layout; leave --table out");
    assertThatThrownBy(() -> table(Map.of("layout-file", path, "layout", "native")))
        .hasMessageEndingWith("leave --layout out");
  }

  @Test
  void aFileThatCannotBeUsedIsASettingThatCannot(@TempDir Path directory) throws IOException {
    Path none = directory.resolve("none");
    assertThatThrownBy(() -> table(Map.of("layout-file", none.toString())))
        .isInstanceOf(SettingException.class)
        .hasMessage("--layout-file: there is no file " + none);
    Path empty = Files.writeString(directory.resolve("empty"), "tabel = x");
    assertThatThrownBy(() -> table(Map.of("layout-file", empty.toString())))
        .isInstanceOf(SettingException.class)
        .hasMessage("--layout-file: " + empty + ": line 1: unknown key tabel; did you mean table?");
  }
}
