package dev.postcommit.consumer;

/** What becomes of events of a type that no handler is for. */
public enum UnknownTypes {
  /** They are acknowledged and forgotten. */
  IGNORE,

  /** They are dead-lettered. */
  DEAD_LETTER
}
