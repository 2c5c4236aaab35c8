package dev.postcommit.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.settings.RelaySettings;
import dev.postcommit.settings.Setting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files that build, start and deploy the process agree with it and with each other. */
@DisplayName("R48: the files of a deployment")
class DeploymentTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String JAR = "server/target/outbox-publisher.jar";
  private static final int PORT = 8580;
  private static final int USER = 10001;

  /** What a stop may take after the drain timeout. */
  private static final Duration CLOSING = Duration.ofSeconds(15);

  private static final List<String> FILES =
      List.of(
          "Makefile",
          "Dockerfile",
          "Procfile",
          "heroku.yml",
          "deploy/kubernetes.yaml",
          "deploy/healthcheck");

  private record Ended(int exitCode, String output) {}

  private static String read(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }

  private static List<String> findAll(String pattern, String text) {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  private static Ended run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(ROOT.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }

  private static Object yaml(String file) throws IOException {
    return new Yaml(new SafeConstructor(new LoaderOptions())).load(read(file));
  }

  /** What is at a path of names and, in lists, of numbers. */
  private static Object at(Object node, String path) {
    Object found = node;
    for (String step : path.split("/")) {
      found =
          found instanceof List<?> list
              ? list.get(Integer.parseInt(step))
              : ((Map<?, ?>) found).get(step);
      assertThat(found).as("%s of %s", step, path).isNotNull();
    }
    return found;
  }

  @Test
  void everyVariableIsASetting() throws IOException {
    List<String> known = ServerSettings.ALL.stream().map(Setting::variable).toList();
    List<String> used = new ArrayList<>();
    for (String file : FILES) {
      used.addAll(findAll("\\b(POSTCOMMIT_[A-Z_]+)", read(file)));
    }
    assertThat(used).isNotEmpty().isSubsetOf(known);
  }

  @Test
  void everyTargetOfTheMakefileIsListedAndRunsWhatIsThere()
      throws IOException, InterruptedException {
    String makefile = read("Makefile");
    List<String> targets = findAll("^([a-z-]+):", makefile);
    assertThat(targets).contains("build-outbox-publisher", "run-outbox-publisher", "test");
    assertThat(findAll("^\\.PHONY: (.*)$", makefile)).containsExactly(String.join(" ", targets));
    Ended help = run("make");
    assertThat(help.exitCode()).as(help.output()).isZero();
    for (String target : targets) {
      Ended dry = run("make", "-n", target);
      assertThat(dry.exitCode()).as(dry.output()).isZero();
      assertThat(help.output()).containsPattern("(?m)^" + target + " +\\S");
      assertThat(dry.output()).containsPattern("^(mvn |\\./postcommit |awk )");
    }
  }

  @Test
  void whatTheImageIsMadeOfIsThere() throws IOException {
    String dockerfile = read("Dockerfile");
    List<String> copied = findAll("^COPY (?!--from)(\\S+) ", dockerfile);
    assertThat(copied).contains("deploy/healthcheck");
    assertThat(copied).allSatisfy(source -> assertThat(ROOT.resolve(source)).exists());
    // The build makes the jar that is extracted, by the same command as make does.
    assertThat(dockerfile).contains("-jar " + JAR + " extract --layers");
    List<String> builds = findAll("(mvn .* -pl server -am)", read("Makefile"));
    assertThat(builds).hasSize(1);
    assertThat(dockerfile).contains(builds);
    assertThat(read("server/pom.xml")).contains("<finalName>outbox-publisher</finalName>");
    // Nothing that the build needs is kept from it.
    try (Stream<Path> modules = Files.list(ROOT)) {
      List<String> ignored = Files.readAllLines(ROOT.resolve(".dockerignore"));
      assertThat(modules.filter(module -> Files.exists(module.resolve("pom.xml"))))
          .noneMatch(module -> ignored.contains(module.getFileName().toString()));
    }
  }

  @Test
  void theImageListensAndIsCheckedWhereTheProcessServes() throws IOException {
    String dockerfile = read("Dockerfile");
    assertThat(findAll("^EXPOSE (\\d+)$", dockerfile)).containsExactly(Integer.toString(PORT));
    assertThat(findAll("^USER (\\d+):\\d+$", dockerfile)).containsExactly(Integer.toString(USER));
    assertThat(findAll("CMD \\[\"/app/(\\S+)\"\\]", dockerfile)).containsExactly("healthcheck");
    assertThat(read("deploy/healthcheck")).contains(":-" + PORT + "}", "GET /livez ");
  }

  @Test
  void herokuRunsTheJarOrTheImage() throws IOException {
    assertThat(read("Procfile")).startsWith("worker: java ").contains("-jar " + JAR);
    Path dockerfile = ROOT.resolve((String) at(yaml("heroku.yml"), "build/docker/worker"));
    assertThat(dockerfile).exists();
  }

  @Test
  void kubernetesProbesAndStopsTheProcessAsItIs() throws IOException {
    Object deployment = yaml("deploy/kubernetes.yaml");
    Object pod = at(deployment, "spec/template/spec");
    Object container = at(pod, "containers/0");
    assertThat(at(container, "ports/0/containerPort")).isEqualTo(PORT);
    assertThat(at(container, "env/0/name")).isEqualTo("POSTCOMMIT_HTTP_ADDRESS");
    assertThat(at(container, "env/0/value")).isEqualTo("0.0.0.0");
    assertThat(at(container, "startupProbe/httpGet/path")).isEqualTo("/livez");
    assertThat(at(container, "livenessProbe/httpGet/path")).isEqualTo("/livez");
    assertThat(at(container, "readinessProbe/httpGet/path")).isEqualTo("/readyz");
    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      assertThat(at(container, probe + "/httpGet/port")).isEqualTo(at(container, "ports/0/name"));
    }
    Map<?, ?> annotations = (Map<?, ?>) at(deployment, "spec/template/metadata/annotations");
    assertThat(annotations.get("prometheus.io/port")).isEqualTo(Integer.toString(PORT));
    assertThat(annotations.get("prometheus.io/path")).isEqualTo("/actuator/prometheus");
    assertThat(at(deployment, "spec/selector/matchLabels"))
        .isEqualTo(at(deployment, "spec/template/metadata/labels"));
    assertThat(at(container, "resources/limits/memory")).isEqualTo("256Mi");
    assertThat(at(pod, "securityContext/runAsUser")).isEqualTo(USER);
    assertThat(at(pod, "securityContext/runAsNonRoot")).isEqualTo(true);
    Duration drain =
        RelaySettings.DRAIN_TIMEOUT.reader().read(RelaySettings.DRAIN_TIMEOUT.defaultText());
    assertThat((int) at(pod, "terminationGracePeriodSeconds"))
        .isGreaterThan((int) drain.plus(CLOSING).toSeconds());
    // Variables of a service named postcommit would be refused as unknown settings.
    assertThat(at(pod, "enableServiceLinks")).isEqualTo(false);
  }

  @Test
  void scriptsAreWellFormed() throws IOException, InterruptedException {
    for (String script : List.of("postcommit", "deploy/healthcheck", ".ci/run")) {
      Ended checked = run("bash", "-n", script);
      assertThat(checked.exitCode()).as(checked.output()).isZero();
      assertThat(ROOT.resolve(script)).isExecutable();
    }
  }

  @Test
  void theHealthCheckSucceedsOnlyWhileTheProcessIsAlive() throws IOException, InterruptedException {
    AtomicInteger status = new AtomicInteger(200);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/livez",
        exchange -> {
          exchange.sendResponseHeaders(status.get(), -1);
          exchange.close();
        });
    server.start();
    String port = Integer.toString(server.getAddress().getPort());
    try {
      assertThat(run("env", "POSTCOMMIT_HTTP_PORT=" + port, "deploy/healthcheck").exitCode())
          .isZero();
      status.set(503);
      assertThat(run("env", "POSTCOMMIT_HTTP_PORT=" + port, "deploy/healthcheck").exitCode())
          .isNotZero();
    } finally {
      server.stop(0);
    }
    assertThat(run("env", "POSTCOMMIT_HTTP_PORT=" + port, "deploy/healthcheck").exitCode())
        .as("nobody there")
        .isNotZero();
  }
}
