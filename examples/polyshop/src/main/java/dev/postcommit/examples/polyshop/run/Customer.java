package dev.postcommit.examples.polyshop.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sends requests to services, again and again until one is answered: a service may be killed before
 * it has done what was asked, or after it and before it could say so. All that is asked can be
 * asked twice.
 */
final class Customer {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration REQUEST = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int CONFLICT = 409;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(REQUEST).build();
  private final Fleet fleet;

  Customer(Fleet fleet) {
    this.fleet = fleet;
  }

  /** What a request belongs to. */
  record Trace(UUID traceId, UUID correlationId, String userId, String idempotencyKey) {

    static Trace begin(String userId) {
      return new Trace(UUID.randomUUID(), UUID.randomUUID(), userId, UUID.randomUUID().toString());
    }

    private void addTo(HttpRequest.Builder request) {
      long span = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
      request
          .header(
              "traceparent", "00-%s-%016x-01".formatted(traceId.toString().replace("-", ""), span))
          .header("X-Correlation-Id", correlationId.toString())
          .header("X-User-Id", userId)
          .header("Idempotency-Key", idempotencyKey);
    }
  }

  /** An answer of a service: it was done, or it comes too late. */
  record Answer(int status, JsonNode body) {

    UUID id(String field) {
      return UUID.fromString(body.path(field).asText());
    }
  }

  Answer send(Service service, String method, String path, Trace trace, Map<String, ?> body)
      throws InterruptedException {
    long begin = System.nanoTime();
    String problem = "is not ready";
    while (System.nanoTime() - begin < PATIENCE.toNanos()) {
      Optional<URI> address = fleet.address(service);
      if (address.isPresent()) {
        try {
          HttpResponse<String> response =
              http.send(
                  request(address.get().resolve(path), method, trace, body),
                  BodyHandlers.ofString());
          int status = response.statusCode();
          if (status < 400 || status == CONFLICT) {
            return new Answer(status, JSON.readTree(response.body()));
          }
          problem = "answers " + status + ": " + response.body();
        } catch (IOException e) {
          problem = "does not answer: " + e;
        }
      }
      Thread.sleep(PAUSE.toMillis());
    }
    throw fleet.failure(service, "%s (%s %s)".formatted(problem, method, path));
  }

  private static HttpRequest request(URI uri, String method, Trace trace, Map<String, ?> body) {
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(uri)
              .timeout(REQUEST)
              .header("Content-Type", "application/json")
              .method(method, BodyPublishers.ofString(JSON.writeValueAsString(body)));
      trace.addTo(request);
      return request.build();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
