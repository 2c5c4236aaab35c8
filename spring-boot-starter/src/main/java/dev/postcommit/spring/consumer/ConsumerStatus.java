package dev.postcommit.spring.consumer;

import dev.postcommit.consumer.ConsumerListener;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the inbox can be used, as the consumer found last. */
final class ConsumerStatus implements ConsumerListener {
  private volatile @Nullable String inbox;

  /** Why the inbox cannot be used, if it cannot. */
  Optional<String> inboxProblem() {
    return Optional.ofNullable(inbox);
  }

  @Override
  public void inboxUnavailable(String reason) {
    inbox = reason;
  }

  @Override
  public void inboxRecovered(Duration outage) {
    inbox = null;
  }
}
