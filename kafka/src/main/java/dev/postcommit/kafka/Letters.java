package dev.postcommit.kafka;

import java.util.List;

/** Takes dead letters. */
@FunctionalInterface
interface Letters {
  /**
   * Sends the letters of slots, and marks those as done that were taken for good. The others are
   * left as they are, to be given again.
   */
  void send(List<Slot> slots);
}
