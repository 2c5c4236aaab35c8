package dev.postcommit.spring.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code on the pages is the code that is tested. */
class SpringPageTest {
  private static final Path PACKAGE = Path.of("src/test/java/dev/postcommit/spring");
  private static final Pattern SNIPPET =
      Pattern.compile("<!-- snippet: (\\w+) -->\\n```java\\n(.*?)```", Pattern.DOTALL);

  @Test
  void everySnippetIsCodeOfATest() throws IOException {
    String tested =
        stripped(
            source("sample/OrdersApplication.java")
                + source("sample/OrderServiceIT.java")
                + source("ObjectsIT.java")
                + source("slice/OutboxSliceTest.java")
                + source("stock/StockHandlers.java")
                + source("stock/StockApplication.java")
                + source("stock/StockConfiguration.java"));
    Matcher snippet =
        SNIPPET.matcher(page("spring.md") + page("spring/consumers.md") + page("spring/tests.md"));
    int snippets = 0;
    while (snippet.find()) {
      snippets++;
      assertThat(tested).as("snippet %s", snippet.group(1)).contains(stripped(snippet.group(2)));
    }
    assertThat(snippets).isEqualTo(10);
  }

  @Test
  void theReadmeShowsTheApplicationInAtMostSixtyLines() throws IOException {
    String code =
        source("sample/OrdersApplication.java")
            .replaceFirst("(?s)^package.*?\n\n(import .*?\n)+\n", "");
    String properties = Files.readString(Path.of("src/test/resources/orders.properties"));
    assertThat(Files.readString(Path.of("..", "README.md")))
        .contains("```java\n" + code + "```")
        .contains("```properties\n" + properties + "```");
    assertThat(code.lines().count() + properties.lines().count()).isLessThanOrEqualTo(60);
  }

  @Test
  void theReadmeShowsTheEventHandlersOfTheSpringPage() throws IOException {
    String handlers =
        SNIPPET
            .matcher(page("spring.md"))
            .results()
            .filter(snippet -> snippet.group(1).equals("handler"))
            .map(snippet -> snippet.group(2))
            .findFirst()
            .orElseThrow();

    assertThat(Files.readString(Path.of("..", "README.md")))
        .contains("```java\n" + handlers + "```");
  }

  private static String page(String name) throws IOException {
    return Files.readString(Path.of("..", "docs").resolve(name));
  }

  private static String source(String file) throws IOException {
    return Files.readString(PACKAGE.resolve(file));
  }

  private static String stripped(String code) {
    return code.replaceAll("\\s+", "");
  }
}
