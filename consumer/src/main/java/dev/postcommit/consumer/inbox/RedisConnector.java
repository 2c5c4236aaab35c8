package dev.postcommit.consumer.inbox;

import dev.postcommit.support.Wrappers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisReadOnlyException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connection to Redis, opened on first use and again after a failure.
 *
 * <p>The client is the caller's, and may be one whose connections keep commands until Redis is
 * back, and send them then. So a connection that is not open, or on which an answer was late, is
 * closed together with everything it kept, and the next call opens another. Commands that were sent
 * before may still be executed.
 */
final class RedisConnector implements AutoCloseable {
  private final RedisClient client;
  private final Duration timeout;
  private @Nullable CompletableFuture<StatefulRedisConnection<String, String>> current;
  private boolean closed;

  RedisConnector(RedisClient client, Duration timeout) {
    this.client = client;
    this.timeout = timeout;
  }

  /**
   * Sends commands without waiting.
   *
   * @return the answer, or an error after the timeout at the latest
   */
  <T> CompletableFuture<T> send(
      Function<RedisAsyncCommands<String, String>, CompletionStage<T>> commands) {
    CompletableFuture<StatefulRedisConnection<String, String>> connection = connection();
    return connection
        .thenCompose(open -> commands.apply(open.async()))
        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (answer, failure) -> {
              if (failure != null && !isAnswer(failure)) {
                drop(connection);
              }
            });
  }

  /** Whether a connection is being made, and not there yet. */
  synchronized boolean isConnecting() {
    return current != null && !current.isDone();
  }

  /** Ends the connection; the client is left to its owner. */
  @Override
  public void close() {
    @Nullable CompletableFuture<StatefulRedisConnection<String, String>> last;
    synchronized (this) {
      closed = true;
      last = current;
      current = null;
    }
    if (last != null) {
      end(last);
    }
  }

  private synchronized CompletableFuture<StatefulRedisConnection<String, String>> connection() {
    if (closed) {
      return CompletableFuture.failedFuture(new IllegalStateException("the store is closed"));
    }
    if (current != null && current.isDone() && !isOpen(current)) {
      end(current);
      current = null;
    }
    if (current == null) {
      current = connect();
    }
    return current;
  }

  /** Connecting blocks for longer than callers wait, so it has a thread of its own. */
  private CompletableFuture<StatefulRedisConnection<String, String>> connect() {
    CompletableFuture<StatefulRedisConnection<String, String>> connecting =
        new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                connecting.complete(client.connect());
              } catch (RuntimeException e) {
                connecting.completeExceptionally(e);
              }
            },
            "postcommit-redis-connect");
    thread.setDaemon(true);
    thread.start();
    return connecting;
  }

  /** A connection that is still being made is kept: other calls may wait for it. */
  private void drop(CompletableFuture<StatefulRedisConnection<String, String>> connection) {
    if (!connection.isDone()) {
      return;
    }
    synchronized (this) {
      if (current != connection) {
        return;
      }
      current = null;
    }
    end(connection);
  }

  private static void end(CompletableFuture<StatefulRedisConnection<String, String>> connection) {
    var unused = connection.thenCompose(StatefulRedisConnection::closeAsync);
  }

  private static boolean isOpen(
      CompletableFuture<StatefulRedisConnection<String, String>> connection) {
    return !connection.isCompletedExceptionally() && connection.join().isOpen();
  }

  /** Whether Redis itself answered; a read-only one may be the wrong server. */
  private static boolean isAnswer(Throwable failure) {
    Throwable cause = Wrappers.unwrap(failure);
    return cause instanceof RedisCommandExecutionException
        && !(cause instanceof RedisReadOnlyException);
  }
}
