package dev.postcommit.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postcommit.server.Main;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A relay process that answers operators. Its broker is not there, so that it claims nothing. Every
 * answer is checked against the description of the API.
 */
final class AdminProcess implements AutoCloseable {
  static final String TOKEN = "not-a-secret-0123456789";
  static final String RELAY = "/api/v1/relays/default";

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern ADMIN = Pattern.compile("operators at (http://\\S+)/api/v1");
  private static final Pattern HEALTH = Pattern.compile("health at (http://\\S+)/readyz");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final OpenApiDocument document = OpenApiDocument.read();
  private final HttpClient client = HttpClient.newHttpClient();
  private final Processes processes = Processes.create();
  private final ChildProcess process;
  private final URI admin;

  /** What came back. */
  record Answer(HttpResponse<byte[]> response) {
    int status() {
      return response.statusCode();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse(null);
    }

    String body() {
      return new String(response.body(), StandardCharsets.UTF_8);
    }

    JsonNode json() {
      try {
        return JSON.readTree(body());
      } catch (JsonProcessingException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** The sentence of a problem. */
    String detail() {
      return json().path("detail").asText();
    }
  }

  /** Starts it, and waits until it answers. */
  AdminProcess(OutboxFixture fixture) {
    this(fixture, relay -> {});
  }

  /** The same with settings of its own. */
  AdminProcess(OutboxFixture fixture, Consumer<Processes.Builder> settings) {
    Processes.Builder relay =
        builder(processes, fixture)
            .environment("POSTCOMMIT_ADMIN_PORT", "0")
            .environment("POSTCOMMIT_ADMIN_TOKEN", TOKEN);
    settings.accept(relay);
    process = relay.start();
    admin = address(process, ADMIN);
  }

  /** A process as it is before anybody switches the API on. */
  static Processes.Builder builder(Processes processes, OutboxFixture fixture) {
    Processes.Builder relay = processes.java(Main.class).arguments("relay");
    fixture.environment().forEach(relay::environment);
    return relay
        .environment("POSTCOMMIT_HTTP_PORT", "0")
        .environment("POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", "localhost:1");
  }

  private static URI address(ChildProcess process, Pattern pattern) {
    await()
        .atMost(PATIENCE)
        .until(() -> pattern.matcher(process.output()).find() || !process.alive());
    Matcher address = pattern.matcher(process.output());
    assertThat(address.find()).as(process.output()).isTrue();
    return URI.create(address.group(1));
  }

  /** Where health is served by a process of {@link #builder}. */
  static URI health(ChildProcess process) {
    return address(process, HEALTH);
  }

  URI admin() {
    return admin;
  }

  URI health() {
    return health(process);
  }

  String output() {
    return process.output();
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(admin.resolve(path)).header("Authorization", "Bearer " + TOKEN);
  }

  Answer get(String path) {
    return checked(path, "", request(path));
  }

  Answer post(String path, String json) {
    return checked(path, json, json(path).POST(BodyPublishers.ofString(json)));
  }

  HttpRequest.Builder json(String path) {
    return request(path).header("Content-Type", "application/json");
  }

  /** Sends a request as it is. */
  Answer send(HttpRequest.Builder request) {
    try {
      return new Answer(client.send(request.build(), BodyHandlers.ofByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Answer checked(String path, String body, HttpRequest.Builder request) {
    Answer answer = send(request);
    document.check(
        answer.response().request().method(),
        path,
        body,
        answer.status(),
        answer.header("Content-Type"),
        answer.response().body());
    return answer;
  }

  @Override
  public void close() {
    processes.close();
  }
}
