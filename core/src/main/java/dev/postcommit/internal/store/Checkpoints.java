package dev.postcommit.internal.store;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps the checkpoint of a log outside of the database, together with what is delivered. */
public interface Checkpoints {

  /**
   * What was found.
   *
   * @param checkpoint the checkpoint recorded last, or null if none ever was
   */
  record Begun(@Nullable String checkpoint) {}

  /** Ends what others have begun; empty if that cannot be done now. */
  Optional<Begun> begin();

  /** Records a checkpoint with which nothing is delivered; returns whether that was possible. */
  boolean record(Supplier<String> checkpoint);
}
