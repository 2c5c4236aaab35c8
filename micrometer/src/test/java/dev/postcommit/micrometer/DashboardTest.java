package dev.postcommit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R49: the dashboard fits Grafana's model and shows metrics that exist. */
class DashboardTest {
  private static final int COLUMNS = 24;
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{?(?!__)(\\w+)}?");
  private static final Pattern VALUES =
      Pattern.compile("label_values\\((.+), (\\w+)\\)", Pattern.DOTALL);

  private final Ops ops = new Ops();
  private final JsonNode dashboard = read();

  private static JsonNode read() {
    try {
      return new ObjectMapper()
          .readTree(Files.readString(Ops.ROOT.resolve("ops/grafana/postcommit.json")));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private List<JsonNode> panels() {
    List<JsonNode> panels = new ArrayList<>();
    dashboard.get("panels").forEach(panels::add);
    assertThat(panels).hasSizeGreaterThan(20);
    return panels;
  }

  private List<JsonNode> charts() {
    return panels().stream().filter(panel -> !panel.get("type").asText().equals("row")).toList();
  }

  @Test
  void thePanelsHaveIdsAndTitlesAndPlacesOfTheirOwn() {
    Set<Integer> ids = new HashSet<>();
    Set<String> cells = new HashSet<>();
    for (JsonNode panel : panels()) {
      String title = panel.get("title").asText();
      assertThat(title).isNotBlank();
      assertThat(ids.add(panel.get("id").intValue())).as("id of %s", title).isTrue();
      JsonNode place = panel.get("gridPos");
      int left = place.get("x").intValue();
      int top = place.get("y").intValue();
      int right = left + place.get("w").intValue();
      int bottom = top + place.get("h").intValue();
      assertThat(left).as(title).isBetween(0, COLUMNS - 1);
      assertThat(right).as(title).isBetween(left + 1, COLUMNS);
      assertThat(bottom).as(title).isGreaterThan(top);
      for (int x = left; x < right; x++) {
        for (int y = top; y < bottom; y++) {
          assertThat(cells.add(x + "," + y)).as("%s overlaps at %d,%d", title, x, y).isTrue();
        }
      }
    }
  }

  @Test
  @DisplayName("R49: every panel shows metrics that exist, from the chosen data source")
  void thePanelsShowWhatThereIs() {
    for (JsonNode panel : charts()) {
      String title = panel.get("title").asText();
      assertThat(panel.path("description").asText()).as(title).isNotBlank();
      assertThat(panel.path("fieldConfig").path("defaults").path("unit").asText())
          .as(title)
          .isNotBlank();
      assertThat(panel.get("targets")).as(title).isNotEmpty();
      Set<String> references = new HashSet<>();
      for (JsonNode target : panel.get("targets")) {
        assertThat(references.add(target.get("refId").asText())).as(title).isTrue();
        assertThat(target.get("datasource").get("uid").asText())
            .as(title)
            .isEqualTo("${datasource}");
        ops.check(target.get("expr").asText());
      }
    }
  }

  @Test
  @DisplayName("R49: every metric but the longest times is on the dashboard")
  void nothingIsLeftOut() {
    StringBuilder expressions = new StringBuilder();
    charts()
        .forEach(
            panel ->
                panel
                    .get("targets")
                    .forEach(target -> expressions.append(target.get("expr").asText())));

    Scraped scraped = Everything.scraped();
    assertThat(
            Stream.of(scraped.ours(), scraped.ofConsumers())
                .flatMap(metrics -> metrics.keySet().stream()))
        .filteredOn(name -> !name.endsWith("_max"))
        .allSatisfy(name -> assertThat(expressions).contains(name));
  }

  @Test
  void theVariablesAreThereAndFindSomething() {
    Set<String> names = new HashSet<>();
    for (JsonNode variable : dashboard.get("templating").get("list")) {
      names.add(variable.get("name").asText());
      if (variable.get("type").asText().equals("query")) {
        Matcher values = VALUES.matcher(variable.get("query").get("query").asText());
        assertThat(values.matches()).as("%s", variable).isTrue();
        ops.check(values.group(1));
        String metric = PromExpression.of(values.group(1)).metrics().keySet().iterator().next();
        assertThat(ops.labels(metric)).contains(values.group(2));
      }
    }
    assertThat(names).containsExactlyInAnyOrder("datasource", "job", "layout", "table", "topic");
    assertThat(VARIABLE.matcher(dashboard.toString()).results().map(use -> use.group(1)))
        .isNotEmpty()
        .isSubsetOf(names);
  }

  @Test
  void itCanBeImportedWithoutAskingForAnything() {
    assertThat(dashboard.get("schemaVersion").intValue()).isGreaterThanOrEqualTo(39);
    assertThat(dashboard.get("uid").asText()).isEqualTo("postcommit");
    assertThat(dashboard.has("id")).isFalse();
    assertThat(dashboard.has("__inputs")).isFalse();
  }
}
