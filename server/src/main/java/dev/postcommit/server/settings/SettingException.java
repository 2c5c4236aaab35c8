package dev.postcommit.server.settings;

/** A setting that is missing, unknown or not acceptable; the message is one line for the user. */
public final class SettingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with the line to show. */
  public SettingException(String message) {
    super(message);
  }
}
