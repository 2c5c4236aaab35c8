package dev.postcommit.pubsub;

import com.google.api.gax.rpc.StatusCode.Code;
import com.google.cloud.pubsub.v1.stub.PublisherStub;
import com.google.pubsub.v1.GetTopicRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsResponse;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.Topic;
import dev.postcommit.support.DurationText;
import dev.postcommit.support.Wrappers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks Pub/Sub about itself and its topics; every answer takes a few seconds at most. */
final class TopicCheck {
  private static final Logger log = LoggerFactory.getLogger(TopicCheck.class);

  /** The topic to ask for if none is known; that it does not exist is an answer. */
  private static final String ANY = "postcommit";

  private final PublishSettings settings;
  private final PublishClient client;
  private final Duration timeout = PublishSettings.ANSWER_TIMEOUT;
  private final Set<String> unseen = ConcurrentHashMap.newKeySet();
  private final Set<String> subscribed = ConcurrentHashMap.newKeySet();
  private final Set<String> forbidden = ConcurrentHashMap.newKeySet();
  private volatile String recent;
  private @Nullable CompletableFuture<Optional<String>> question;

  TopicCheck(PublishSettings settings, PublishClient client) {
    this.settings = settings;
    this.client = client;
    this.recent = settings.connection().topic(ANY);
  }

  /** A topic was used; it is the one to ask for if none is required. */
  void used(String topic) {
    recent = topic;
  }

  /** A topic may not be published to. */
  void forbidden(String topic) {
    forbidden.add(topic);
  }

  /** Why nothing can be delivered, if so. */
  Optional<String> problem() {
    if (settings.topics().isEmpty()) {
      return await(reach(recent));
    }
    List<CompletableFuture<Optional<String>>> answers =
        settings.topics().stream().map(this::check).toList();
    CompletableFuture<Optional<String>> first = CompletableFuture.completedFuture(Optional.empty());
    for (CompletableFuture<Optional<String>> answer : answers) {
      first = first.thenCombine(answer, (one, other) -> one.or(() -> other));
    }
    return await(first);
  }

  private Optional<String> await(CompletableFuture<Optional<String>> answer) {
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    } catch (ExecutionException e) {
      return Optional.of(unreachable(Wrappers.unwrap(e)));
    } catch (TimeoutException e) {
      return Optional.of(unreachable(e));
    }
  }

  /** Why Pub/Sub does not answer, if it does not. Calls during a question share its answer. */
  synchronized CompletableFuture<Optional<String>> reach(String topic) {
    if (question == null || question.isDone()) {
      question =
          get(topic)
              .handle(
                  (found, error) ->
                      Optional.ofNullable(error)
                          .map(Wrappers::unwrap)
                          .filter(cause -> !StatusClassifier.isAnswer(cause))
                          .map(this::unreachable));
    }
    return question;
  }

  /** What is wrong with a topic that is required. */
  private CompletableFuture<Optional<String>> check(String topic) {
    return get(topic)
        .handle(
            (found, error) -> {
              if (error == null) {
                checkSubscriptions(topic);
                return Optional.<String>empty();
              }
              return whatIsWrong(topic, Wrappers.unwrap(error));
            })
        .thenCompose(
            problem ->
                problem.isEmpty() && forbidden.contains(topic)
                    ? tryToPublish(topic)
                    : CompletableFuture.completedFuture(problem));
  }

  /**
   * Publishes an empty list: without permission the answer says so, with it the list is refused.
   */
  private CompletableFuture<Optional<String>> tryToPublish(String topic) {
    return client
        .ask(
            PublisherStub::publishCallable,
            PublishRequest.newBuilder().setTopic(topic).build(),
            timeout)
        .handle(
            (published, error) -> {
              if (error != null
                  && StatusClassifier.code(Wrappers.unwrap(error)) == Code.PERMISSION_DENIED) {
                return Optional.of(StatusClassifier.reason(Wrappers.unwrap(error), topic));
              }
              forbidden.remove(topic);
              return Optional.empty();
            });
  }

  private Optional<String> whatIsWrong(String topic, Throwable error) {
    if (!StatusClassifier.isAnswer(error)) {
      return Optional.of(unreachable(error));
    }
    if (StatusClassifier.code(error) == Code.NOT_FOUND) {
      return Optional.of(StatusClassifier.missing(topic));
    }
    if (unseen.add(topic)) {
      log.info(
          "cannot look whether topic {} exists; grant pubsub.topics.get (roles/pubsub.viewer): {}",
          topic,
          StatusClassifier.text(error));
    }
    return Optional.empty();
  }

  private CompletableFuture<Topic> get(String topic) {
    return client.ask(
        PublisherStub::getTopicCallable,
        GetTopicRequest.newBuilder().setTopic(topic).build(),
        timeout);
  }

  /** Warns once if a topic has no subscription, so that its messages are lost; never fails. */
  private void checkSubscriptions(String topic) {
    if (!subscribed.add(topic)) {
      return;
    }
    var unused =
        client
            .ask(
                PublisherStub::listTopicSubscriptionsCallable,
                ListTopicSubscriptionsRequest.newBuilder().setTopic(topic).setPageSize(1).build(),
                timeout)
            .whenComplete((found, failure) -> warnIfNone(topic, found));
  }

  private static void warnIfNone(String topic, @Nullable ListTopicSubscriptionsResponse found) {
    if (found != null && found.getSubscriptionsCount() == 0) {
      log.warn("topic {} has no subscription; Pub/Sub drops what is published to it", topic);
    }
  }

  private String unreachable(Throwable error) {
    log.debug("Pub/Sub is not reachable", error);
    @Nullable Code code = StatusClassifier.code(error);
    if (code == Code.UNAUTHENTICATED) {
      return StatusClassifier.unauthenticated(error);
    }
    if (code == null && !(error instanceof TimeoutException)) {
      return StatusClassifier.text(error);
    }
    String answer = settings.connection() + " does not answer";
    return code == null || code == Code.DEADLINE_EXCEEDED
        ? answer + " within " + DurationText.spoken(timeout)
        : answer + ": " + StatusClassifier.text(error);
  }
}
