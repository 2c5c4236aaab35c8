package dev.postcommit.examples.packfinderz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.testkit.process.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks a publisher how it is, as a platform would. */
final class Health {
  private static final Pattern ADDRESS = Pattern.compile("http://\\S+:(\\d+)/readyz");

  private final HttpClient client = HttpClient.newHttpClient();
  private final int port;

  Health(ChildProcess publisher) {
    await().atMost(Stage.PATIENCE).until(() -> ADDRESS.matcher(publisher.output()).find());
    Matcher address = ADDRESS.matcher(publisher.output());
    assertThat(address.find()).isTrue();
    port = Integer.parseInt(address.group(1));
  }

  int status(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(10))
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  void becomesReady() {
    await().atMost(Stage.PATIENCE).until(() -> status("/readyz") == 200);
  }

  void becomesUnready() {
    await().atMost(Stage.PATIENCE).until(() -> status("/readyz") == 503);
  }
}
