package dev.postcommit.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.server.docs.TestSource.Case;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("R57: every acceptance criterion is a test that bears its words")
class AcceptanceTest {
  private static final Path PAGE = Page.ROOT.resolve("docs/systems/acceptance.md");

  /** How many criteria each document has; one of PF-067 says three things, and counts thrice. */
  private static final Map<String, Long> CRITERIA =
      Map.of("PF-060", 5L, "PF-066", 7L, "PF-067", 15L, "Mini Chat", 6L);

  private static final Pattern ROW =
      Pattern.compile("\\| (.+) \\| \\[`(\\w+)\\.(\\w+)`]\\((\\S+)\\) \\|");

  private record Row(String document, String criterion, String type, String method, Path file) {
    @Override
    public String toString() {
      return type + "." + method;
    }
  }

  @Test
  void everyDocumentHasAllItsCriteria() {
    assertThat(rows().stream().collect(Collectors.groupingBy(Row::document, Collectors.counting())))
        .isEqualTo(CRITERIA);
  }

  @Test
  void everyCriterionIsTheNameOfATestThatRuns() {
    List<String> wrong = new ArrayList<>();
    for (Row row : rows()) {
      Case test = new TestSource(Page.read(row.file()).text()).tests().get(row.method());
      if (!new Case(row.method(), row.criterion(), true).equals(test)
          || !row.file().endsWith(row.type() + ".java")) {
        wrong.add(row + " is to be a plain test named \"" + row.criterion() + "\", not " + test);
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void everyAcceptanceTestHasARow() throws IOException {
    List<String> tests = new ArrayList<>();
    for (Path file : Page.files(Page.ROOT.resolve("examples"), Integer.MAX_VALUE).toList()) {
      String name = file.getFileName().toString();
      if (name.endsWith("AcceptanceIT.java")) {
        String type = name.substring(0, name.length() - ".java".length());
        new TestSource(Page.read(file).text())
            .tests()
            .keySet()
            .forEach(method -> tests.add(type + "." + method));
      }
    }
    assertThat(rows()).extracting(Row::toString).containsExactlyInAnyOrderElementsOf(tests);
  }

  /** What the tables say, by the headings above them. */
  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    String document = "";
    for (String line : Page.read(PAGE).text().lines().toList()) {
      if (line.startsWith("## ")) {
        document = line.substring("## ".length());
      } else if (line.startsWith("| ") && !line.equals("| criterion | test |")) {
        Matcher row = ROW.matcher(line);
        assertThat(row.matches()).as("a criterion and its test: %s", line).isTrue();
        Path file = PAGE.resolveSibling(row.group(4)).normalize();
        rows.add(new Row(document, row.group(1), row.group(2), row.group(3), file));
      }
    }
    return rows;
  }

  @Test
  void whatIsNoPlainTestOfThatNameIsNoticed() {
    String source =
        """
        @DisplayName("all")
        class It {
          @BeforeEach
          void begin() {}

          @Test
          @DisplayName(
              "Says \\"so\\" (all of"
                  + " it)")
          void plain() {}

          @Test
          void nameless() {}

          @Disabled("for a while (or longer)")
          @Test
          @DisplayName("off")
          void off() {}

          @ParameterizedTest
          @DisplayName("many")
          void many(int i) {}
        }
        """;
    Map<String, Case> expected = new LinkedHashMap<>();
    expected.put("plain", new Case("plain", "Says \"so\" (all of it)", true));
    expected.put("nameless", new Case("nameless", "", true));
    expected.put("off", new Case("off", "off", false));
    expected.put("many", new Case("many", "many", false));

    assertThat(new TestSource(source).tests()).isEqualTo(expected);
    assertThat(new TestSource("@Disabled\n" + source).tests().values()).noneMatch(Case::isPlain);
  }
}
