package dev.postcommit.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Unavailable;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PubSubPublisherTest {
  private static final PubSubConnection NOWHERE = PubSubConnection.of("p").emulator("localhost:1");

  @Test
  @DisplayName("R30: building needs no server, no credentials, and starts no thread")
  void buildingDoesNothing() {
    AtomicInteger asked = new AtomicInteger();
    PubSubConnection connection =
        PubSubConnection.of("p")
            .credentials(
                () -> {
                  asked.incrementAndGet();
                  throw new IOException("none");
                });
    Map<Thread, StackTraceElement[]> before = Thread.getAllStackTraces();
    try (Publisher publisher = PubSubPublisher.builder(connection).topics("orders").build()) {
      assertThat(publisher.keepsOrder()).isTrue();
      assertThat(publisher.deliveryTimeout()).isEqualTo(Duration.ofSeconds(23));
      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(thread -> thread.getName().startsWith("postcommit-pubsub"))
          .allMatch(before::containsKey);
    }
    assertThat(asked).hasValue(0);
  }

  @Test
  @DisplayName("R30: nothing needs to be there when the publisher is built")
  void startsWithoutAServer() {
    try (Publisher early = PubSubPublisher.builder(NOWHERE).build()) {
      assertThat(early.problem())
          .hasValueSatisfying(
              why ->
                  assertThat(why).startsWith("Pub/Sub at localhost:1, project p does not answer"));
      assertThat(send(early))
          .succeedsWithin(early.deliveryTimeout())
          .isInstanceOf(Unavailable.class);
    }
  }

  @Test
  @DisplayName("R30: without credentials, messages wait, and the reason says what to do")
  void saysThatThereAreNoCredentials() {
    PubSubConnection connection =
        PubSubConnection.of("p")
            .endpoint("localhost:1")
            .credentials(
                () -> {
                  throw new IOException("no default credentials");
                });
    String reason =
        "there are no credentials for Pub/Sub at localhost:1, project p; set"
            + " GOOGLE_APPLICATION_CREDENTIALS to the file of a service account's key, or run"
            + " 'gcloud auth application-default login', or set PUBSUB_EMULATOR_HOST for a server"
            + " without credentials: no default credentials";
    for (String[] topics : new String[][] {{}, {"orders", "invoices"}}) {
      try (Publisher publisher = PubSubPublisher.builder(connection).topics(topics).build()) {
        assertThat(publisher.problem()).contains(reason);
        assertThat(send(publisher))
            .succeedsWithin(publisher.deliveryTimeout())
            .isInstanceOfSatisfying(
                Unavailable.class,
                unavailable -> assertThat(unavailable.reason()).isEqualTo(reason));
      }
    }
  }

  @Test
  @DisplayName("R30: credentials that take long to find do not make messages late")
  void doesNotWaitForCredentialsForEver() {
    CompletableFuture<Void> never = new CompletableFuture<>();
    PubSubConnection connection =
        PubSubConnection.of("p")
            .endpoint("localhost:1")
            .credentials(
                () -> {
                  never.join();
                  throw new IOException("found none");
                });
    try (Publisher publisher =
        PubSubPublisher.builder(connection)
            .requestTimeout(Duration.ofMillis(100))
            .deliveryTimeout(Duration.ofMillis(200))
            .build()) {
      assertThat(send(publisher))
          .succeedsWithin(publisher.deliveryTimeout().plusMillis(500))
          .isInstanceOf(Unavailable.class);
    } finally {
      never.complete(null);
    }
  }

  private static CompletableFuture<Delivery> send(Publisher publisher) {
    return publisher
        .send(new Message("orders", "key", Map.of(), new byte[1]))
        .toCompletableFuture();
  }

  @Test
  void buildingRefusesWhatCannotWork() {
    refuses(
        PubSubPublisher.builder(NOWHERE).topics("orders", "no spaces"),
        "'projects/p/topics/no spaces' is no name of a Pub/Sub topic: a letter, and then 2 to 254"
            + " of letters, digits and - . _ ~ + %");
    refuses(
        PubSubPublisher.builder(NOWHERE).deliveryTimeout(Duration.ofSeconds(5)),
        "deliveryTimeout (PT5S) must not be shorter than requestTimeout (PT8S)");
    refuses(
        PubSubPublisher.builder(NOWHERE).requestTimeout(Duration.ZERO),
        "requestTimeout (PT0S) must be at least PT0.1S");
  }

  private static void refuses(PubSubPublisher.Builder builder, String message) {
    assertThatIllegalArgumentException().isThrownBy(builder::build).withMessage(message);
  }
}
