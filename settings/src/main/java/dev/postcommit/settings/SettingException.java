package dev.postcommit.settings;

/**
 * A setting is missing, unknown or invalid. The message is one line that says what is wrong and
 * what to do, with the setting's name as the user wrote it.
 */
public final class SettingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An exception with the line to show. */
  public SettingException(String message) {
    super(message);
  }
}
