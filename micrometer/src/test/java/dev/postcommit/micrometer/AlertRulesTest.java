package dev.postcommit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** R49: the alerts fit the model of Prometheus and watch metrics that exist. */
class AlertRulesTest {
  private static final Pattern DURATION = Pattern.compile("\\d+[smh]");
  private static final Pattern RUNBOOK =
      Pattern.compile("docs/operations(?:/[a-z-]+)?\\.md#[a-z][a-z-]+");

  private final Ops ops = new Ops();

  private static Map<?, ?> read(String file) throws IOException {
    Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
    return yaml.load(Files.readString(Ops.ROOT.resolve("ops/prometheus").resolve(file)));
  }

  private static List<Map<?, ?>> rules() throws IOException {
    List<Map<?, ?>> rules = new ArrayList<>();
    for (Object group : (List<?>) read("alerts.yml").get("groups")) {
      for (Object rule : (List<?>) ((Map<?, ?>) group).get("rules")) {
        rules.add((Map<?, ?>) rule);
      }
    }
    assertThat(rules).hasSizeGreaterThan(9);
    return rules;
  }

  @Test
  @DisplayName("R49: every alert watches metrics that exist")
  void theAlertsWatchWhatThereIs() throws IOException {
    for (Map<?, ?> rule : rules()) {
      ops.check((String) rule.get("expr"));
    }
  }

  @Test
  void everyAlertSaysHowBadItIsAndWhatToDo() throws IOException {
    Set<Object> names = new HashSet<>();
    for (Map<?, ?> rule : rules()) {
      String name = (String) rule.get("alert");
      assertThat(names.add(name)).as(name).isTrue();
      assertThat(name).startsWith("Outbox");
      assertThat(((Map<?, ?>) rule.get("labels")).get("severity"))
          .as(name)
          .isIn("critical", "warning");
      Map<?, ?> annotations = (Map<?, ?>) rule.get("annotations");
      assertThat((String) annotations.get("summary")).as(name).isNotBlank();
      assertThat((String) annotations.get("description")).as(name).isNotBlank();
      assertThat((String) annotations.get("runbook")).as(name).matches(RUNBOOK);
      if (rule.containsKey("for")) {
        assertThat((String) rule.get("for")).as(name).matches(DURATION);
      }
    }
  }

  @Test
  @DisplayName("R49: gauges of a table are never added up over the relays that report them")
  void gaugesAreNotAddedUp() throws IOException {
    Map<String, String> types = Everything.scraped().types();
    for (Map<?, ?> rule : rules()) {
      PromExpression expression = PromExpression.of((String) rule.get("expr"));
      boolean gauges =
          expression.metrics().keySet().stream().anyMatch(name -> "gauge".equals(types.get(name)));
      assertThat(gauges && expression.functions().contains("sum"))
          .as("%s", rule.get("alert"))
          .isFalse();
    }
  }

  @Test
  void everyAlertHasATestForPromtool() throws IOException {
    Set<Object> expected = new HashSet<>();
    for (Object test : (List<?>) read("alerts.test.yml").get("tests")) {
      for (Object look : (List<?>) ((Map<?, ?>) test).get("alert_rule_test")) {
        if (!((List<?>) ((Map<?, ?>) look).get("exp_alerts")).isEmpty()) {
          expected.add(((Map<?, ?>) look).get("alertname"));
        }
      }
    }

    assertThat(expected)
        .containsExactlyInAnyOrderElementsOf(
            rules().stream().<Object>map(rule -> rule.get("alert")).toList());
  }
}
