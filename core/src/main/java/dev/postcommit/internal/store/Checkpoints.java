package dev.postcommit.internal.store;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Stores the checkpoints of a log outside of the database, together with what is delivered. */
public interface Checkpoints {

  /**
   * What was found.
   *
   * @param checkpoint the last checkpoint, or null if there is none
   */
  record Begun(@Nullable String checkpoint) {}

  /** Ends what others have begun; empty if that is not possible now. */
  Optional<Begun> begin();

  /** Records a checkpoint without events; returns whether that was possible. */
  boolean record(Supplier<String> checkpoint);
}
