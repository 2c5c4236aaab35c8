package dev.postcommit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.crash.ArrivalTimes.Gap;
import dev.postcommit.testkit.ledger.LedgerReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The longest time that any key is silent for a consumer after a fault, with two relays and 500
 * events a second over 20 keys. Prints a table of all layouts and faults; some of them with {@code
 * -Dgaps.layouts=native,log} and {@code -Dgaps.faults=kill,postgres}, the longest of several with
 * {@code -Dgaps.rounds=5}, after outages of a minute with {@code -Dgaps.outage=60}. Takes about ten
 * minutes, on a machine that does nothing else:
 *
 * <pre>mvn verify -pl integration-tests -am -Dit.test=GapsIT -Dgaps=true</pre>
 */
@Isolated("it measures times")
@EnabledIfSystemProperty(
    named = "gaps",
    matches = "true",
    disabledReason = "takes ten minutes: -Dgaps=true")
class GapsIT {
  private static final List<CrashTable> TABLES =
      List.of(
          CrashTable.NATIVE,
          CrashTable.LOG,
          CrashTable.MODKIT,
          CrashTable.LOGISTIK,
          CrashTable.PACKFINDERZ,
          CrashTable.POLYSHOP);

  private static final int ROUNDS = Integer.getInteger("gaps.rounds", 1);

  private final List<GapFault> faults =
      Arrays.stream(GapFault.values())
          .filter(fault -> chosen("gaps.faults", fault.name()))
          .toList();
  private final Map<String, Map<GapFault, String>> cells = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  @Test
  @DisplayName("no key is silent for longer than allowed after a fault, in any layout")
  void gapsAfterFaults() throws IOException {
    for (CrashTable table : TABLES) {
      if (chosen("gaps.layouts", table.layout().name())) {
        measure(table);
        Files.writeString(Path.of("target", "gaps.md"), markdown());
      }
    }
    System.out.println(markdown());
    assertThat(problems).as("%n%s", markdown()).isEmpty();
  }

  private static boolean chosen(String property, String name) {
    String names = System.getProperty(property, "");
    return names.isEmpty() || List.of(names.split(",")).contains(name.toLowerCase(Locale.ROOT));
  }

  /** Measures all faults on one table; if that fails, the others are measured all the same. */
  private void measure(CrashTable table) {
    String layout = table.layout().name();
    int before = problems.size();
    cells.put(layout, new EnumMap<>(GapFault.class));
    try (GapScene scene = new GapScene(table)) {
      try {
        for (GapFault fault : faults) {
          note(table, fault, longestGap(scene, layout, fault));
        }
        LedgerReport report = scene.finish();
        System.out.printf("%s: %s%n", layout, report);
        if (!report.clean()) {
          problems.add(layout + ": " + report);
        }
      } catch (Exception | AssertionError e) {
        problems.add(layout + ": " + e);
      }
      if (problems.size() > before) {
        System.out.println(scene.logs());
      }
    }
  }

  private static Gap longestGap(GapScene scene, String layout, GapFault fault) {
    Gap longest = new Gap("none", Duration.ZERO);
    for (int i = 0; i < ROUNDS; i++) {
      Gap gap = scene.longestGapAfter(fault);
      System.out.printf("%s, %s: %s%n", layout, fault.title(), gap);
      longest = gap.length().compareTo(longest.length()) > 0 ? gap : longest;
    }
    return longest;
  }

  private void note(CrashTable table, GapFault fault, Gap gap) {
    String layout = table.layout().name();
    Duration limit = fault.limit(table);
    boolean over = gap.length().compareTo(limit) > 0;
    String length = seconds(gap.length());
    Objects.requireNonNull(cells.get(layout)).put(fault, over ? length + " (over)" : length);
    if (over) {
      problems.add(
          "%s, %s: %s was silent for %s, more than %s"
              .formatted(layout, fault.title(), gap.key(), length, seconds(limit)));
    }
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
  }

  private String markdown() {
    StringBuilder text = new StringBuilder("| fault | " + String.join(" | ", cells.keySet()));
    text.append(" |\n|---|").append("---|".repeat(cells.size())).append('\n');
    for (GapFault fault : faults) {
      text.append("| ").append(fault.title());
      cells.values().forEach(row -> text.append(" | ").append(row.getOrDefault(fault, "–")));
      text.append(" |\n");
    }
    return text.toString();
  }
}
