package dev.postcommit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.postcommit.Event;
import dev.postcommit.InvalidEventException;
import dev.postcommit.Outbox;
import dev.postcommit.relay.Router;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Whether a type that Kafka does not allow as a topic is refused. */
class RecordedTopicsTest {
  private final ApplicationContextRunner runner =
      Contexts.withoutDatabase().withPropertyValues("postcommit.relay.enabled=false");

  @Test
  void aTypeThatNoTopicCanHaveIsRefusedByName() {
    refuses(runner, true);
    refuses(runner.withPropertyValues("postcommit.route=type"), true);
    refuses(
        runner.withPropertyValues("postcommit.broker=kafka", "postcommit.pubsub.project=p"), true);
  }

  @Test
  void whatDoesNotGoToATopicOfThatNameIsNotRefused() {
    refuses(runner.withPropertyValues("postcommit.route=fixed:orders"), false);
    refuses(runner.withPropertyValues("postcommit.route=registry"), false);
    refuses(runner.withPropertyValues("postcommit.broker=pubsub"), false);
    refuses(runner.withPropertyValues("postcommit.pubsub.project=p"), false);
    refuses(runner.withBean(Router.class, () -> Router.fixed("orders")), false);
  }

  private static void refuses(ApplicationContextRunner application, boolean refused) {
    application.run(
        context -> {
          Outbox outbox = context.getBean(Outbox.class);
          Event event = Event.builder("order placed").json("{}").build();
          // Without a connection: what is not refused before fails there.
          Throwable error = catchThrowable(() -> outbox.enqueue(null, event));
          assertThat(error instanceof InvalidEventException e && e.field().equals("type"))
              .as(String.valueOf(error))
              .isEqualTo(refused);
        });
  }
}
