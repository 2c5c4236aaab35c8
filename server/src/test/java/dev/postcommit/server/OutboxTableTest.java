package dev.postcommit.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.layout.Layout;
import dev.postcommit.server.settings.Settings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
                "database-url", "jdbc:postgresql://me:hunter2@db:5432/app?user=me&password=hunter2",
                "database-password", "hunter2"));
    assertThat(table.toString())
        .isEqualTo("postcommit_outbox at jdbc:postgresql://db:5432/app")
        .doesNotContain("hunter2");
  }

  @Test
  void theLayoutDecidesTheTableUnlessOneIsGiven() {
    assertThat(table(Map.of()).layout()).isEqualTo(Layout.nativeTable());
    assertThat(table(Map.of("layout", "modkit")).layout()).isEqualTo(Layout.modkit());
    assertThat(table(Map.of("table", "billing.outbox")).layout().table())
        .hasToString("billing.outbox");
  }

  @Test
  void deliveredRowsAreKeptUnlessTheyAreToBeDeleted() {
    assertThat(table(Map.of()).layout().keepsDelivered()).isTrue();
    assertThat(table(Map.of("on-delivery", "delete")).layout().keepsDelivered()).isFalse();
  }
}
