package dev.postcommit.server.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documents say what is so. */
class DocumentsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");

  private static final Pattern SNIPPET =
      Pattern.compile("<!-- snippet: (\\w+) -->\\n```java\\n(.*?)```", Pattern.DOTALL);

  private static final Pattern REQUIREMENT = Pattern.compile("\\*\\*R(\\d+)\\*\\*");

  @Test
  void everyGuaranteeNamesATestThatExists() throws IOException {
    int promises = 0;
    for (Path page : Page.files(ROOT.resolve("docs/guarantees"), 1).toList()) {
      promises += rowsWithTests(Files.readString(page));
    }
    assertThat(promises).isGreaterThan(100);
  }

  @Test
  void everyInvariantNamesATestThatExists() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/invariants.md"));
    assertThat(rowsWithTests(page)).isEqualTo(20);
  }

  /** The number of rows in tables, each of which names tests that exist. */
  private static int rowsWithTests(String text) throws IOException {
    int rows = 0;
    for (String line : text.lines().filter(l -> l.startsWith("| ")).toList()) {
      if (line.endsWith("| test |")) {
        continue;
      }
      rows++;
      Matcher test = TEST.matcher(line);
      assertThat(test.find()).as("a test in: %s", line).isTrue();
      test.reset();
      while (test.find()) {
        assertThat(source(test.group(1) + ".java"))
            .as("%s.%s", test.group(1), test.group(2))
            .contains("void " + test.group(2) + "(");
      }
    }
    return rows;
  }

  @Test
  void theCodeInTheReadmeIsTheCodeThatIsTested() throws IOException {
    assertThat(testedSnippets("README.md", "QuickStartIT.java")).isEqualTo(4);
  }

  @Test
  void theCodeOnThePageOfLayoutsIsTheCodeThatIsTested() throws IOException {
    assertThat(testedSnippets("docs/layouts/adopting.md", "LayoutsPageIT.java")).isEqualTo(1);
  }

  @Test
  void theCodeOnThePageOfTheOutboxIsTheCodeThatIsTested() throws IOException {
    assertThat(testedSnippets("docs/writing.md", "WritingPageIT.java")).isEqualTo(2);
  }

  @Test
  void theCodeOnThePageOfMessagesIsTheCodeThatIsTested() throws IOException {
    assertThat(testedSnippets("docs/messages.md", "MessagesPageIT.java")).isEqualTo(3);
    assertThat(testedSnippets("docs/registry.md", "MessagesPageIT.java")).isEqualTo(1);
  }

  @Test
  void theCodeOnThePageOfConsumersIsTheCodeThatIsTested() throws IOException {
    assertThat(testedSnippets("docs/consumers.md", "ConsumersPageIT.java")).isEqualTo(5);
    assertThat(testedSnippets("docs/consumers/inboxes.md", "ConsumersPageIT.java")).isEqualTo(2);
  }

  @Test
  void theCodeOnThePageOfPubSubIsTheCodeThatIsTested() throws IOException {
    assertThat(testedSnippets("docs/pubsub.md", "PubSubPageIT.java")).isEqualTo(2);
  }

  @Test
  void theCodeOnThePageOfTheTestkitIsTheCodeThatIsTested() throws IOException {
    assertThat(testedSnippets("docs/testkit.md", "PubSubTestkitPageIT.java")).isEqualTo(2);
  }

  @Test
  void theCodeOnThePageOfSecurityIsTheCodeThatIsTested() throws IOException {
    assertThat(testedSnippets("docs/security.md", "SecurityRecipes.java")).isEqualTo(1);
  }

  private static int testedSnippets(String page, String test) throws IOException {
    String tested = stripped(source(test));
    Matcher snippet = SNIPPET.matcher(Files.readString(ROOT.resolve(page)));
    int snippets = 0;
    while (snippet.find()) {
      snippets++;
      String code = snippet.group(2).replaceAll("//.*", "");
      assertThat(tested).as("snippet %s", snippet.group(1)).contains(stripped(code));
    }
    return snippets;
  }

  @Test
  void everyRequirementIsThereOnce() throws IOException {
    List<Integer> numbers =
        REQUIREMENT
            .matcher(Files.readString(ROOT.resolve("docs/systems/requirements.md")))
            .results()
            .map(match -> Integer.valueOf(match.group(1)))
            .toList();

    assertThat(numbers).containsExactlyElementsOf(Stream.iterate(1, n -> n + 1).limit(57).toList());
  }

  @Test
  void theReadmeIsShort() throws IOException {
    assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThan(200);
  }

  private static String source(String file) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      List<Path> found =
          files
              .filter(path -> path.getFileName().toString().equals(file))
              .filter(path -> path.toString().contains("/src/"))
              .collect(Collectors.toList());
      assertThat(found).as(file).hasSize(1);
      return Files.readString(found.get(0), UTF_8);
    }
  }

  private static String stripped(String code) {
    return code.replaceAll("\\s+", "");
  }
}
