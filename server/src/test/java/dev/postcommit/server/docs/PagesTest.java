package dev.postcommit.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.settings.ConsumerSettings;
import dev.postcommit.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the pages name is there: other pages and their headings, settings, tests. */
class PagesTest {
  private static final Pattern LINK =
      Pattern.compile("(?:\\]\\(|\\b(?:src|srcset)=\")([^)\\s\"]+)[)\"]");
  private static final Pattern RUNBOOK = Pattern.compile("docs/[\\w/-]+\\.md(?:#[\\w-]+)?");
  private static final Pattern VARIABLE =
      Pattern.compile("POSTCOMMIT_[A-Z]+(?:_[A-Z]+)*(?![A-Z_])");
  private static final Pattern OF_ONE_RELAY = Pattern.compile("POSTCOMMIT_RELAY_[A-Z]+_(.+)");
  private static final Pattern TEST =
      Pattern.compile("([A-Z]\\w+(?:IT|Test|Contract))(?:\\.(\\w+))?");

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Page page : Page.all()) {
      LINK.matcher(page.prose().replaceAll("`[^`\\n]*`", ""))
          .results()
          .map(link -> link.group(1))
          .filter(target -> !target.matches("(https?|mailto):.*") && !leads(page.path(), target))
          .forEach(target -> broken.add(page + ": " + target));
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void everyAlertAndPanelLeadsToAHeading() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path file : Page.files(Page.ROOT.resolve("ops"), Integer.MAX_VALUE).toList()) {
      RUNBOOK
          .matcher(Files.readString(file))
          .results()
          .map(MatchResult::group)
          .filter(target -> !leads(Page.ROOT.resolve("pom.xml"), target))
          .forEach(target -> broken.add(file + ": " + target));
    }
    assertThat(broken).isEmpty();
  }

  /** Whether a link in {@code page} has a file, and a heading in it if it names one. */
  private static boolean leads(Path page, String target) {
    String[] parts = target.split("#", 2);
    Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    return Files.exists(file)
        && (parts.length == 1 || Page.read(file).anchors().contains(parts[1]));
  }

  @Test
  void everyVariableIsASetting() throws IOException {
    Set<String> all = variables(ServerSettings.ALL);
    all.addAll(variables(ConsumerSettings.ALL));
    all.add("POSTCOMMIT_CONFIG");
    // Read by the tests, and told to contributors.
    all.add("POSTCOMMIT_TEST_ALL");
    Set<String> ofOneRelay = variables(ServerSettings.RELAY_SETTINGS);
    List<String> unknown = new ArrayList<>();
    for (Page page : Page.all()) {
      for (String name : VARIABLE.matcher(page.text()).results().map(MatchResult::group).toList()) {
        Matcher scoped = OF_ONE_RELAY.matcher(name);
        boolean known =
            all.contains(name)
                || (scoped.matches() && ofOneRelay.contains("POSTCOMMIT_" + scoped.group(1)));
        if (!known) {
          unknown.add(page + ": " + name);
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  private static Set<String> variables(List<Setting<?>> settings) {
    return settings.stream().map(Setting::variable).collect(Collectors.toSet());
  }

  @Test
  void everyTestIsThere() throws IOException {
    Map<String, String> sources = testSources();
    List<String> missing = new ArrayList<>();
    for (Page page : Page.all()) {
      for (String span : page.spans()) {
        Matcher test = TEST.matcher(span);
        if (test.matches()) {
          String source = sources.getOrDefault(test.group(1), "");
          String method = test.group(2) == null ? "class " : "void " + test.group(2) + "(";
          if (!source.contains(method)) {
            missing.add(page + ": " + span);
          }
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  /** The sources of all modules whose names could be those of tests, by class. */
  private static Map<String, String> testSources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> files = Files.walk(Page.ROOT)) {
      List<Path> tests =
          files
              .filter(path -> path.toString().matches(".*/src/.*(IT|Test|Contract)\\.java"))
              .toList();
      for (Path test : tests) {
        String name = test.getFileName().toString();
        sources.put(name.substring(0, name.length() - ".java".length()), Files.readString(test));
      }
    }
    return sources;
  }
}
