package dev.postcommit.registry;

import dev.postcommit.PostcommitException;
import org.jspecify.annotations.Nullable;

/** A registry is invalid; the message names the entry and says what to do about it. */
public final class InvalidRegistryException extends PostcommitException {
  private static final long serialVersionUID = 1L;

  InvalidRegistryException(String message) {
    super(message);
  }

  InvalidRegistryException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
