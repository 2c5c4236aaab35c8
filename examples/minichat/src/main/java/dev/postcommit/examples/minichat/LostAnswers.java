package dev.postcommit.examples.minichat;

import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bad connection to billing: now and then an event does not arrive, or it arrives and the answer
 * is lost. Of one event only the first delivery of a process goes wrong.
 */
final class LostAnswers implements Publisher.Callback {
  private static final int NOT_ARRIVING = 7;
  private static final int NOT_ANSWERED = 5;

  private final Publisher.Callback billing;
  private final Set<String> tried = ConcurrentHashMap.newKeySet();
  private final AtomicLong first = new AtomicLong();

  LostAnswers(Publisher.Callback billing) {
    this.billing = billing;
  }

  @Override
  public void deliver(Message message) throws Exception {
    boolean isFirst = tried.add(String.valueOf(message.headers().get("event_id")));
    long number = isFirst ? first.incrementAndGet() : 0;
    if (isFirst && number % NOT_ARRIVING == 0) {
      throw new IOException("billing cannot be reached");
    }
    billing.deliver(message);
    if (isFirst && number % NOT_ANSWERED == 0) {
      throw new IOException("billing did not answer in time");
    }
  }
}
