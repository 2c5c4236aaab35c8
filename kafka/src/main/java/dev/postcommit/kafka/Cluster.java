package dev.postcommit.kafka;

import static org.apache.kafka.clients.admin.AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG;

import dev.postcommit.kafka.internal.ClientErrors;
import dev.postcommit.kafka.internal.ListenerProbe;
import dev.postcommit.support.DurationText;
import dev.postcommit.support.Wrappers;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the Kafka cluster about itself; every answer takes a few seconds at most. */
final class Cluster implements TopicLookup, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Cluster.class);

  private final Map<String, Object> properties;
  private final Duration timeout;
  private final Executor answers;
  private final ListenerProbe listener;
  private @Nullable Admin admin;
  private boolean closed;
  private final TopicAutoCreation autoCreation = new TopicAutoCreation(this::admin);

  /**
   * A cluster to which nothing connects yet.
   *
   * @param answers runs the work that follows answers
   */
  Cluster(Map<String, Object> properties, Duration timeout, Executor answers) {
    this.properties = properties;
    this.timeout = timeout;
    this.answers = answers;
    this.listener = new ListenerProbe(properties);
  }

  /** Why no broker answers, if none does. */
  Optional<String> problem() {
    try {
      Collection<Node> brokers =
          admin().describeCluster().nodes().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      listener.answered();
      return brokers.isEmpty() ? Optional.of("the Kafka cluster has no brokers") : Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      Throwable cause = Wrappers.unwrap(e);
      log.debug("Kafka is not reachable", cause);
      return Optional.of(unreachable(cause));
    }
  }

  private String unreachable(Throwable error) {
    String answer =
        error instanceof TimeoutException || error instanceof RetriableException
            ? "does not answer within "
                + DurationText.spoken(timeout)
                + listener.reason().map(": "::concat).orElse("")
            : "cannot be used: " + ClientErrors.text(error);
    return "Kafka at %s %s".formatted(properties.get(BOOTSTRAP_SERVERS_CONFIG), answer);
  }

  /**
   * Waits for an answer.
   *
   * @throws KafkaException if there is none in time, or it is an error
   */
  <T> T answer(KafkaFuture<T> question) {
    try {
      return question.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException | TimeoutException e) {
      Throwable cause = Wrappers.unwrap(e);
      throw cause instanceof KafkaException known
          ? known
          : new KafkaException(unreachable(cause), cause);
    }
  }

  @Override
  public CompletionStage<Answer> ask(String topic) {
    try {
      return admin()
          .describeTopics(
              List.of(topic), new DescribeTopicsOptions().includeAuthorizedOperations(true))
          .allTopicNames()
          .toCompletionStage()
          .handle((found, error) -> answer(found == null ? null : found.get(topic), error))
          .thenCompose(answer -> answer)
          .handleAsync(Cluster::passOn, answers)
          .thenCompose(answer -> answer);
    } catch (KafkaException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletionStage<Answer> answer(
      @Nullable TopicDescription found, @Nullable Throwable error) {
    if (error == null) {
      return CompletableFuture.completedFuture(
          found == null || mayWrite(found) ? Answer.WRITABLE : Answer.FORBIDDEN);
    }
    Throwable cause = Wrappers.unwrap(error);
    if (cause instanceof UnknownTopicOrPartitionException) {
      return autoCreation.isOn().thenApply(on -> on ? Answer.CREATABLE : Answer.MISSING);
    }
    return cause instanceof TopicAuthorizationException
        ? CompletableFuture.completedFuture(Answer.FORBIDDEN)
        : CompletableFuture.failedFuture(cause);
  }

  /** Some brokers do not say which operations are allowed, or return an empty set. */
  private static boolean mayWrite(TopicDescription topic) {
    @Nullable Set<AclOperation> allowed = topic.authorizedOperations();
    return allowed == null
        || allowed.isEmpty()
        || allowed.contains(AclOperation.WRITE)
        || allowed.contains(AclOperation.ALL);
  }

  private static CompletionStage<Answer> passOn(
      @Nullable Answer answer, @Nullable Throwable error) {
    return answer != null
        ? CompletableFuture.completedFuture(answer)
        : CompletableFuture.failedFuture(Wrappers.unwrap(Objects.requireNonNull(error)));
  }

  /** The admin client, which connects when it is used. */
  synchronized Admin admin() {
    if (closed) {
      throw new KafkaException("the publisher is closed");
    }
    if (admin == null) {
      admin = Admin.create(properties);
    }
    return admin;
  }

  @Override
  public void close() {
    @Nullable Admin last;
    synchronized (this) {
      closed = true;
      last = admin;
      admin = null;
    }
    if (last != null) {
      last.close(Duration.ZERO);
    }
  }
}
