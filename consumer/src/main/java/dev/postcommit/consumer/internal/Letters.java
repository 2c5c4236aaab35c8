package dev.postcommit.consumer.internal;

import java.util.List;

/**
 * Takes dead letters.
 *
 * @param <S> the slots of a broker
 */
@FunctionalInterface
public interface Letters<S extends Slot> {
  /**
   * Sends the letters of slots, and marks those as done that were taken for good. The others are
   * left as they are, to be given again.
   */
  void send(List<S> slots);
}
