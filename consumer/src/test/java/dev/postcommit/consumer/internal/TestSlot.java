package dev.postcommit.consumer.internal;

import dev.postcommit.consumer.ReceivedMessage;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A numbered message of a broker that is not there. */
final class TestSlot extends Slot {
  private final int number;
  private boolean abandoned;
  private boolean broken;

  TestSlot(int number, @Nullable String key) {
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

  /** This slot, of which a lane cannot even begin to handle anything. */
  TestSlot broken() {
    broken = true;
    return this;
  }

  @Override
  protected boolean begin() {
    if (broken) {
      throw new OutOfMemoryError("broken slot");
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
    return "slot " + number;
  }
}
