package dev.postcommit.internal.jdbc;

/** Texts for the column of the last error. */
public final class RecordedErrors {

  /** What is recorded when an attempt ended with its lease. */
  public static final String UNFINISHED =
      "the attempt never finished: its relay stopped, froze or lost the database";

  /** What is recorded when an event is claimed that has no attempt left. */
  public static final String EXHAUSTED = "it was tried as often as it may be";

  /** The most characters of an error that are kept. */
  public static final int MAX_ERROR_LENGTH = 1024;

  private RecordedErrors() {}

  /** An error cut to a bounded length, without characters Postgres cannot store. */
  public static String bounded(String error) {
    String text = error.replace('\0', ' ');
    return text.length() <= MAX_ERROR_LENGTH ? text : text.substring(0, MAX_ERROR_LENGTH - 1) + "…";
  }
}
