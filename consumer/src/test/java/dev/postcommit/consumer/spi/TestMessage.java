package dev.postcommit.consumer.spi;

import dev.postcommit.consumer.message.ReceivedMessage;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A numbered message without a broker. */
final class TestMessage extends FetchedMessage {
  private final int number;
  private boolean abandoned;
  private boolean broken;

  TestMessage(int number, @Nullable String key) {
    super(key);
    this.number = number;
  }

  int number() {
    return number;
  }

  void abandon() {
    abandoned = true;
  }

  @Override
  protected ReceivedMessage message() {
    Map<String, String> origin = Map.of("number", Integer.toString(number));
    return new ReceivedMessage("topic", null, Map.of(), new byte[0], origin);
  }

  /** This message, which fails before its worker can handle it. */
  TestMessage broken() {
    broken = true;
    return this;
  }

  @Override
  protected boolean begin() {
    if (broken) {
      throw new OutOfMemoryError("broken message");
    }
    return !abandoned;
  }

  @Override
  protected void finish() {}

  @Override
  protected boolean isAbandoned() {
    return abandoned;
  }

  @Override
  protected void acknowledge() {}

  @Override
  public String toString() {
    return "message " + number;
  }
}
