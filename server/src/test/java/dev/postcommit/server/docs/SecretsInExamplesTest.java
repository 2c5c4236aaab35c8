package dev.postcommit.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.settings.Setting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No example has a secret on a command line, where all users of a machine can see it. */
class SecretsInExamplesTest {

  /** Flags of secrets; an address and Kafka's properties hold one only if it says password. */
  private static final String FLAGS =
      ServerSettings.ALL.stream()
          .filter(Setting::isSecret)
          .filter(setting -> !setting.name().matches("database-url|kafka-config"))
          .map(Setting::flag)
          .collect(Collectors.joining("|"));

  private static final Pattern SECRET =
      Pattern.compile(
          "(?:"
              + FLAGS
              + ")[= ]"
              + "|--(?:database-url|kafka-config)[= ]\\S*password"
              + "|--from-literal=\\S*(?:PASSWORD|TOKEN|KEY|SECRET)"
              + "|\\s(?:-e|--env)[= ]\\S*(?:PASSWORD|TOKEN)="
              + "|curl .*Authorization:"
              // What a curl further down is given.
              + "|^\\w+=.*Authorization:");

  private static List<String> found(Stream<Page> pages) {
    List<String> found = new ArrayList<>();
    pages.forEach(
        page ->
            page.text()
                .replaceAll("\\\\\\n *", "")
                .lines()
                // Tables of settings name their flags.
                .filter(line -> !line.startsWith("|") && SECRET.matcher(line).find())
                .forEach(line -> found.add(page + ": " + line)));
    return found;
  }

  @Test
  void noPageHasOne() throws IOException {
    assertThat(found(Page.all().stream())).isEmpty();
  }

  @Test
  void noFileOfADeploymentHasOne() {
    assertThat(
            found(
                Stream.of("deploy/kubernetes.yaml", "Dockerfile", "Procfile", "heroku.yml")
                    .map(file -> Page.read(Page.ROOT.resolve(file)))))
        .isEmpty();
  }

  @Test
  void oneIsNoticed() {
    for (String line :
        List.of(
            "postcommit relay --database-password hunter2",
            "postcommit relay --admin-token=hunter2",
            "postcommit status --database-url 'jdbc:postgresql://db/x?password=hunter2'",
            "kubectl create secret generic x --from-literal=POSTCOMMIT_DATABASE_PASSWORD=hunter2",
            "docker run -e POSTCOMMIT_ADMIN_TOKEN=hunter2 outbox-publisher",
            "curl -s -H \"Authorization: Bearer $TOKEN\" localhost:8581/api/v1/relays",
            "AUTH=\"Authorization: Bearer $TOKEN\"")) {
      assertThat(found(Stream.of(new Page(Page.ROOT.resolve("x.md"), line)))).as(line).hasSize(1);
    }
    assertThat(
            found(
                Stream.of(
                    new Page(
                        Page.ROOT.resolve("x.md"),
                        "POSTCOMMIT_ADMIN_TOKEN=x\ncurl -H @auth localhost\n--database-url x"))))
        .isEmpty();
  }
}
