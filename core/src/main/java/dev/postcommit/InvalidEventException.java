package dev.postcommit;

/**
 * An event was refused before anything was written, because one of its fields is not acceptable.
 */
public final class InvalidEventException extends PostcommitException {
  private static final long serialVersionUID = 1L;

  private final String field;

  /** Creates the exception; the message becomes {@code field: problem}. */
  public InvalidEventException(String field, String problem) {
    super(field + ": " + problem);
    this.field = field;
  }

  /** The name of the field that was refused. */
  public String field() {
    return field;
  }
}
