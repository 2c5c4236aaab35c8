package dev.postcommit.consumer;

/** What happens to events of a type without a handler. */
public enum UnknownTypes {
  /** They are acknowledged and forgotten. */
  IGNORE,

  /** They are dead-lettered. */
  DEAD_LETTER,

  /** They are retried, and hold back their ordering key, until a consumer has a handler. */
  FAIL
}
