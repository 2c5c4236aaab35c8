package dev.postcommit;

/**
 * An object cannot be made into a payload, or a payload cannot be read as an object. The message
 * says why and shows nothing of the content.
 */
public final class InvalidPayloadException extends PostcommitException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception; {@code message} must not show any content. */
  public InvalidPayloadException(String message) {
    super(message);
  }
}
