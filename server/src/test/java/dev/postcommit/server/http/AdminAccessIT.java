package dev.postcommit.server.http;

import static dev.postcommit.server.http.AdminProcess.RELAY;
import static dev.postcommit.server.http.AdminProcess.TOKEN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.server.http.AdminProcess.Answer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may ask by HTTP, and what is refused. */
class AdminAccessIT {
  private static final OutboxFixture FIXTURE = new OutboxFixture();
  private static AdminProcess process;
  private static String dead;

  @BeforeAll
  static void start() throws SQLException {
    FIXTURE.migrate();
    dead = FIXTURE.enqueueDead(Event.builder("order.placed").json("{}"), "too large");
    process =
        new AdminProcess(FIXTURE, relay -> relay.environment("POSTCOMMIT_HTTP_ADDRESS", "0.0.0.0"));
  }

  @AfterAll
  static void close() {
    process.close();
    FIXTURE.close();
  }

  /** Whatever a test sends here is refused. */
  @AfterEach
  void nothingIsChangedAndNoSecretTold() {
    assertThat(FIXTURE.admin().status().dead()).isEqualTo(1);
    assertThat(FIXTURE.admin().audit(1)).isEmpty();
    assertThat(process.output()).doesNotContain(TOKEN);
  }

  @Test
  void whoeverDoesNotKnowTheTokenGetsTheSameAnswerToEverything() {
    Set<String> answers = new HashSet<>();
    for (String path :
        List.of(
            "/api/v1/relays",
            RELAY + "/dead/" + dead,
            RELAY + "/topics",
            RELAY + "/topics/give-up",
            "/openapi.yaml",
            "/error",
            "/x",
            "/")) {
      for (String method : List.of("GET", "POST", "DELETE", "OPTIONS")) {
        for (String token :
            List.of(
                "Bearer",
                "Bearer ",
                "Basic " + TOKEN,
                TOKEN,
                "Bearer " + TOKEN.substring(1),
                "Bearer " + TOKEN.substring(0, TOKEN.length() - 1),
                "Bearer " + TOKEN + "x")) {
          HttpRequest.Builder request = HttpRequest.newBuilder(process.admin().resolve(path));
          answers.add(refused(request.header("Authorization", token), method));
        }
        answers.add(refused(HttpRequest.newBuilder(process.admin().resolve(path)), method));
      }
    }
    assertThat(answers).hasSize(1);
  }

  private static String refused(HttpRequest.Builder request, String method) {
    Answer answer =
        process.send(
            request
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString("{\"all\":true,\"operator\":\"eve\"}")));
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"postcommit\"");
    assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    return answer.body();
  }

  @Test
  void aWebPageIsRefusedEvenWithTheToken() {
    for (String origin : List.of("https://example.com", process.admin().toString(), "null")) {
      Answer answer =
          process.send(
              process
                  .json(RELAY + "/dead/replay")
                  .header("Origin", origin)
                  .POST(BodyPublishers.ofString("{\"all\":true,\"operator\":\"eve\"}")));
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.response().headers().map().keySet())
          .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control"));
    }
  }

  @Test
  void aGiantBodyIsRefused() {
    byte[] giant = ("{\"type\":\"" + "x".repeat(1 << 20) + "\"}").getBytes(UTF_8);
    for (String path :
        List.of("/dead/replay", "/dead/discard", "/topics/give-up", "/prune", "/wake")) {
      Answer whole =
          process.send(process.json(RELAY + path).POST(BodyPublishers.ofByteArray(giant)));
      assertThat(whole.status()).isEqualTo(413);
      assertThat(whole.detail()).contains("larger than 1048576 bytes");
      Answer inChunks =
          process.send(
              process
                  .json(RELAY + path)
                  .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(giant))));
      assertThat(inChunks.status()).isEqualTo(413);
    }
  }

  @Test
  void aBodyThatCannotBeReadIsRefused() throws IOException {
    String request =
        "POST %s/wake HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nConnection: close\r\n"
                .formatted(RELAY, TOKEN)
            + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), process.admin().getPort())) {
      socket.getOutputStream().write(request.getBytes(UTF_8));
      assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
          .startsWith("HTTP/1.1 400")
          .contains("application/problem+json", "the request is not as GET /openapi.yaml");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|the body must be a JSON object",
        "null|the body must be a JSON object",
        "[]|the body must be a JSON object",
        "{|the body is not one JSON object (line 1",
        "{} {}|more than one JSON object",
        "{\"typ\":\"x\",\"operator\":\"eve\"}|unknown field typ; did you mean type?",
        "{\"all\":true,\"type\":null,\"operator\":\"eve\"}|type is null; leave it out",
        "{\"all\":true,\"all\":false,\"operator\":\"eve\"}|the body is not one JSON object",
        "{\"all\":\"true\",\"operator\":\"eve\"}|all must be true or false",
        "{\"all\":1,\"operator\":\"eve\"}|all must be true or false",
        "{\"all\":true,\"operator\":1.5}|operator is not what",
        "{\"type\":{},\"operator\":\"eve\"}|type is not what",
        "{\"type\":[\"x\"],\"operator\":\"eve\"}|type must be a text",
        "{\"ids\":\"x\",\"operator\":\"eve\"}|ids must be a list",
        "{\"ids\":[],\"operator\":\"eve\"}|ids is an empty list",
        "{\"ids\":[null],\"operator\":\"eve\"}|ids must be a list of texts",
        "{\"ids\":[[\"x\"]],\"operator\":\"eve\"}|ids must be a list of texts",
        "{\"operator\":\"eve\"}|say which dead events",
        "{\"all\":false,\"operator\":\"eve\"}|say which dead events",
        "{\"all\":true,\"type\":\"x\",\"operator\":\"eve\"}|say which dead events",
        "{\"from\":\"soon\",\"operator\":\"eve\"}|from: 'soon' is not a time; write",
        "{\"type\":\"\\u0000\",\"operator\":\"eve\"}|type has a character",
        "{\"type\":\"\\ud800\",\"operator\":\"eve\"}|type has a character",
        "{\"all\":true}|operator is missing",
        "{\"all\":true,\"operator\":\" \"}|operator is blank",
        "{\"all\":true,\"operator\":\"eve\",\"reason\":\"\"}|reason is blank",
      })
  void aBodyThatIsNotAsDescribedIsRefused(String body, String detail) {
    assertRefused(process.post(RELAY + "/dead/replay", body), 400, detail);
  }

  @ParameterizedTest
  @CsvSource({
    "/dead?typ=x,400,unknown parameter typ; did you mean type?",
    "/dead?type=a&type=b,400,parameter type is given twice",
    "/dead?from=soon,400,from: 'soon' is not a time",
    "/dead?type=%00,400,type has a character",
    "/dead?limit=0,400,limit: '0' is not a whole number from 1 to 200",
    "/dead?limit=201,400,limit: '201'",
    "/dead?limit=99999999999,400,limit: '99999999999'",
    "/dead?limit=many,400,limit: 'many'",
    "/audit?limit=-1,400,limit: '-1'",
    "/status?x=y,400,unknown parameter x",
    "/x,404,there is nothing at this path",
    "/../other/status,404,there is no relay 'other' in this process; there is default",
    "/prune,405,this path is not for that method",
  })
  void aQuestionThatIsNotAsDescribedIsRefused(String path, int status, String detail) {
    String whole = URI.create(RELAY + path).normalize().toString();
    assertRefused(process.get(whole), status, detail);
  }

  private static void assertRefused(Answer answer, int status, String detail) {
    assertThat(answer.detail()).contains(detail);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void aChangeNeedsWhatIsKeptOfIt() {
    assertRefused(
        process.post(RELAY + "/dead/discard", "{\"all\":true,\"operator\":\"eve\"}"),
        400,
        "reason is missing");
    for (String body : List.of("{\"older_than\":\"1d\"}", "{\"dry_run\":true}", "{}")) {
      assertThat(process.post(RELAY + "/prune", body).status()).isEqualTo(400);
      assertThat(process.post(RELAY + "/wake", body).status()).isEqualTo(400);
    }
    assertRefused(
        process.post(RELAY + "/prune", "{\"older_than\":\"soon\",\"operator\":\"eve\"}"),
        400,
        "older_than: 'soon' is not a duration");
    assertRefused(
        process.post(
            RELAY + "/prune", "{\"older_than\":\"1d\",\"batch_size\":0,\"operator\":\"eve\"}"),
        400,
        "batch_size: '0' is not a whole number from 1 to 100000");
    assertRefused(process.post(RELAY + "/prune", "{\"operator\":\"eve\"}"), 400, "older_than");
    assertRefused(
        process.post("/api/v1/relays/other/wake", "{\"operator\":\"eve\"}"), 404, "other");
  }

  @Test
  void aFormIsRefused() {
    Answer answer =
        process.send(
            process
                .request(RELAY + "/dead/replay")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("all=true&operator=eve")));
    assertRefused(answer, 415, "Content-Type: application/json");
  }

  @Test
  void theDescriptionIsServed() {
    Answer answer = process.get("/openapi.yaml");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body())
        .startsWith("openapi: 3.1.0")
        .contains(RELAY.replace("default", "{relay}"));
  }

  @Test
  void onlyThisMachineReachesIt() throws IOException {
    assertThat(process.admin().getHost()).isEqualTo("127.0.0.1");
    int elsewhere = 0;
    for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
      for (InetAddress address : network.inetAddresses().toList()) {
        if (!address.isLoopbackAddress() && reaches(address, process.health().getPort())) {
          elsewhere++;
          assertThat(reaches(address, process.admin().getPort())).as("%s", address).isFalse();
        }
      }
    }
    assertThat(elsewhere).as("addresses under which health is served").isPositive();
  }

  private static boolean reaches(InetAddress address, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void neitherPortServesWhatTheOtherDoes() {
    URI health = process.health();
    assertThat(process.send(HttpRequest.newBuilder(health.resolve("/livez"))).status())
        .isEqualTo(200);
    for (String path : List.of("/api/v1/relays", "/openapi.yaml")) {
      assertThat(process.send(process.request(health.resolve(path).toString())).status())
          .isEqualTo(404);
    }
    for (String path : List.of("/livez", "/readyz", "/actuator/health", "/actuator", "/error")) {
      assertThat(process.get(path).status()).isEqualTo(404);
    }
  }

  @Test
  void itIsOffUnlessSwitchedOnAndHealthIsForThisMachine() {
    try (Processes processes = Processes.create()) {
      ChildProcess relay = AdminProcess.builder(processes, FIXTURE).start();
      URI health = AdminProcess.health(relay);
      assertThat(relay.output()).doesNotContain("operators at");
      assertThat(health.getHost()).isEqualTo("127.0.0.1");
      assertThat(
              process.send(process.request(health.resolve("/api/v1/relays").toString())).status())
          .isEqualTo(404);
    }
  }
}
