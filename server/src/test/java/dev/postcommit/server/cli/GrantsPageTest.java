package dev.postcommit.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.server.CapturedTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The GRANTs on the pages of the layouts are what {@code postcommit grants} prints. */
class GrantsPageTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Path ADOPTING = DOCS.resolve("layouts/adopting.md");

  /** The pages, by the options that they show. */
  private static final Map<String, Path> PAGES =
      Map.of(
          "--layout native", DOCS.resolve("layouts/native.md"),
          "--layout log", DOCS.resolve("layouts/log.md"),
          "--layout modkit", DOCS.resolve("systems/modkit.md"),
          "--layout logistik", DOCS.resolve("systems/logistik.md"),
          "--layout packfinderz", DOCS.resolve("systems/packfinderz.md"),
          "--layout polyshop", DOCS.resolve("systems/polyshop.md"),
          "--layout-file domain_events.properties", ADOPTING);

  private static final Pattern BLOCK =
      Pattern.compile("(?s)<!-- grants: (.*?) -->\n```\n(.*?)```\n");
  private static final Pattern FILE =
      Pattern.compile("(?s)<!-- snippet: file -->\\n```\\w*\\n(.*?)```");

  private final CapturedTerminal terminal = CapturedTerminal.withoutEnvironment();

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path directory;

  @Test
  void thePagesShowWhatIsPrinted() throws IOException {
    Matcher file = FILE.matcher(Files.readString(ADOPTING));
    assertThat(file.find()).isTrue();
    Files.writeString(directory.resolve("domain_events.properties"), file.group(1));
    for (Map.Entry<String, Path> page : PAGES.entrySet()) {
      assertShown(page.getValue(), page.getKey());
    }
  }

  /** Checks that a page has the one block of grants for these options. */
  private void assertShown(Path file, String options) throws IOException {
    String page = Files.readString(file);
    List<String> shown = new ArrayList<>();
    String rendered =
        BLOCK
            .matcher(page)
            .replaceAll(
                block -> {
                  shown.add(block.group(1));
                  return Matcher.quoteReplacement(rendered(block));
                });
    if (System.getProperty("update.docs") != null) {
      Files.writeString(file, rendered);
    }
    assertThat(Files.readString(file))
        .as(
            "%s; run mvn -pl server -am test -Dtest=GrantsPageTest -Dupdate.docs to write it anew",
            file)
        .isEqualTo(rendered);
    assertThat(shown).containsExactly(options);
  }

  private String rendered(MatchResult block) {
    StringBuilder text = new StringBuilder("<!-- grants: " + block.group(1) + " -->\n```\n");
    for (String role : List.of("writer", "relay", "operator")) {
      List<String> args = new ArrayList<>(List.of("grants", "--role", role));
      List.of(block.group(1).split(" "))
          .forEach(
              word -> args.add(word.contains(".") ? directory.resolve(word).toString() : word));
      assertThat(terminal.run(args.toArray(String[]::new))).as(terminal.err()).isZero();
      text.append("$ ./postcommit grants --role %s %s%n".formatted(role, block.group(1)));
      text.append(terminal.out());
    }
    return text.append("```\n").toString();
  }

  @Test
  void aRoleThatIsNotThereIsRefused() {
    assertThat(terminal.run("grants", "--role", "reader")).isEqualTo(2);
    assertThat(terminal.err()).contains("--role: 'reader' is not one of writer, relay, operator");
  }

  @Test
  void aRelayThatWaitsForStandbysSeesThem() {
    assertThat(terminal.run("grants", "--role", "relay", "--wait-for-standbys", "1")).isZero();
    assertThat(terminal.outLines()).contains("GRANT pg_read_all_stats TO relay;");
  }

  @Test
  void theUserIsQuotedWhereItMustBe() {
    assertThat(terminal.run("grants", "--role", "writer", "--layout", "polyshop", "--to", "Shop-1"))
        .isZero();
    assertThat(terminal.outLines())
        .containsExactly(
            "GRANT INSERT ON outbox_events TO \"Shop-1\";",
            "GRANT INSERT ON outbox_events_header TO \"Shop-1\";");
  }
}
