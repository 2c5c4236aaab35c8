package dev.postcommit.server.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.settings.RelaySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How many connections a relay takes is said in one place, and is so. */
class ConnectionsTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern NUMBER =
      Pattern.compile(
          "batches[ -]in[ -]flight`?,? (?:\\+ \\d+|and (?:\\d+|one|two|three|four|five|six))");

  @Test
  void thePoolHasAsMany() {
    Settings settings =
        Settings.read(
            Map.of("database-url", "jdbc:postgresql://localhost:1/app", "batches-in-flight", "7"),
            null,
            Map.of(),
            Path.of("no such directory"));
    try (HikariDataSource pool = RelayPool.open(OutboxTable.of(settings), settings)) {
      assertThat(pool.getMaximumPoolSize()).isEqualTo(7 + RelayConfig.MORE_CONNECTIONS);
    }
  }

  @Test
  void oneLineOfOnePageSaysHowMany() throws IOException {
    try (Stream<Path> pages = Files.walk(DOCS)) {
      List<String> said =
          pages
              .filter(page -> page.toString().endsWith(".md"))
              .flatMap(ConnectionsTest::numbers)
              .toList();
      assertThat(said)
          .containsExactly("sizing.md: batches-in-flight` + " + RelayConfig.MORE_CONNECTIONS);
    }
    assertThat(RelaySettings.BATCHES_IN_FLIGHT.description()).contains(more());
  }

  private static String more() {
    return "up to " + RelayConfig.MORE_CONNECTIONS + " more database connections";
  }

  private static Stream<String> numbers(Path page) {
    try {
      return NUMBER
          .matcher(Files.readString(page))
          .results()
          .map(number -> page.getFileName() + ": " + number.group());
    } catch (IOException e) {
      throw new AssertionError(page.toString(), e);
    }
  }
}
