package dev.postcommit.crash;

import static org.awaitility.Awaitility.await;

import dev.postcommit.testkit.process.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks a relay process whether it is ready, as a cluster would, and for its metrics. */
final class Readiness {
  private static final Pattern ADDRESS = Pattern.compile("http://\\S+:(\\d+)/readyz");
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpRequest request;
  private final HttpRequest metrics;

  private Readiness(int port) {
    request = request(port, "/readyz");
    metrics = request(port, "/actuator/prometheus");
  }

  private static HttpRequest request(int port, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .timeout(Duration.ofSeconds(5))
        .build();
  }

  /** Waits until the process says where it is to be asked. */
  static Readiness of(ChildProcess process) {
    Matcher[] address = new Matcher[1];
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              address[0] = ADDRESS.matcher(process.output());
              return address[0].find();
            });
    return new Readiness(Integer.parseInt(address[0].group(1)));
  }

  boolean isReady() throws IOException, InterruptedException {
    return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
  }

  /** The value of a metric that the process has once. */
  double metric(String name) throws IOException, InterruptedException {
    return client
        .send(metrics, HttpResponse.BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .findFirst()
        .orElseThrow();
  }

  void becomes(boolean ready, Duration within) {
    await().atMost(within).pollInterval(Duration.ofMillis(100)).until(() -> isReady() == ready);
  }

  void stays(boolean ready, Duration time) {
    await()
        .pollInterval(Duration.ofMillis(200))
        .during(time)
        .atMost(time.plusSeconds(2))
        .until(() -> isReady() == ready);
  }
}
