package dev.postcommit.server.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.server.Main;
import dev.postcommit.server.terminal.Terminal;
import dev.postcommit.server.terminal.Termination;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The commands on the pages are taken by the command line, with all their options. */
class PageCommandsTest {

  /** A command, not the name with which an error begins. */
  private static final Pattern COMMAND =
      Pattern.compile("(?:\\$ )?(?:\\./)?postcommit ((?!(?:\\w+ ?)+:)\\S.*)");

  private static final Pattern WORD = Pattern.compile("'[^']*'|\"[^\"]*\"|\\S+");

  /** What a shell takes for itself. */
  private static final Set<String> END = Set.of("|", ">", "#", "&", ";");

  /** An option that no command has, which keeps each from being run. */
  private static final String UNKNOWN = "--unknown-to-all";

  /** Commands of other modules, which have tests of their own for them. */
  private static final Set<String> ELSEWHERE = Set.of("demo", "bench", "explore", "example");

  /** The launcher's own command, which takes the name of a directory. */
  private static final String EXAMPLE = "example";

  @Test
  void everyCommandIsTaken() throws IOException {
    List<String> refused = new ArrayList<>();
    int commands = 0;
    for (Page page : Page.all()) {
      for (List<String> command : commands(page)) {
        commands++;
        String error = refusal(command);
        if (!error.isEmpty()) {
          refused.add(page + ": " + error);
        }
      }
    }
    assertThat(refused).isEmpty();
    assertThat(commands).isGreaterThan(20);
  }

  @Test
  void whatIsNotKnownIsNoticed() {
    assertThat(refusal(List.of("stauts"))).contains("unknown command 'stauts'");
    assertThat(refusal(List.of("relay", "--lese", "5s"))).contains("unknown option --lese");
    assertThat(refusal(List.of("dead", "list", "this"))).contains("unexpected argument 'this'");
    assertThat(refusal(List.of("example", "minchat"))).contains("no such example");
    assertThat(refusal(List.of("example", "minichat"))).isEmpty();
  }

  /** The commands in blocks, each on its lines, and those between backquotes. */
  private static List<List<String>> commands(Page page) {
    Stream<String> lines =
        page.blocks().stream().flatMap(block -> block.replaceAll("\\\\\\n *", "").lines());
    List<List<String>> commands = new ArrayList<>();
    Stream.concat(lines, page.spans().stream())
        .map(COMMAND::matcher)
        .filter(Matcher::matches)
        .map(command -> words(command.group(1)))
        .filter(words -> !words.isEmpty() && !ELSEWHERE.contains(words.get(0)))
        .forEach(words -> addAll(commands, words));
    return commands;
  }

  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    while (word.find() && !END.contains(word.group())) {
      words.add(word.group());
    }
    return words;
  }

  /** In a table, {@code list\|show} stands for two commands. */
  private static void addAll(List<List<String>> commands, List<String> words) {
    int last = words.size() - 1;
    for (String word : words.get(last).split("\\\\\\|")) {
      List<String> command = new ArrayList<>(words.subList(0, last));
      command.add(word);
      commands.add(command);
    }
  }

  /**
   * The first thing in a command that the command line does not know; empty if it knows all. One
   * that lacks what it needs is merely named by a page, and is looked at no further.
   */
  private static String refusal(List<String> command) {
    if (command.get(0).equals(EXAMPLE)) {
      return isExample(command) ? "" : "no such example: " + String.join(" ", command);
    }
    List<String> args = new ArrayList<>(command);
    args.add(UNKNOWN);
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            Map.of(),
            "nobody",
            Path.of("no such directory"),
            InputStream.nullInputStream(),
            new PrintStream(new ByteArrayOutputStream(), true, UTF_8),
            new PrintStream(err, true, UTF_8),
            false,
            Termination.never());
    int code = Main.run(terminal, args.toArray(String[]::new));
    String error = err.toString(UTF_8).strip();
    return code == 0 || error.contains(UNKNOWN) || error.contains("missing required")
        ? ""
        : String.join(" ", command) + ": " + error;
  }

  private static boolean isExample(List<String> command) {
    return command.size() > 1
        && Files.exists(Page.ROOT.resolve("examples").resolve(command.get(1)).resolve("pom.xml"));
  }
}
