package dev.postcommit.layout;

import static dev.postcommit.layout.Role.ATTEMPTS;
import static dev.postcommit.layout.Role.CREATED_AT;
import static dev.postcommit.layout.Role.DELIVERED_AT;
import static dev.postcommit.layout.Role.DUE_AT;
import static dev.postcommit.layout.Role.ID;
import static dev.postcommit.layout.Role.KEY;
import static dev.postcommit.layout.Role.LAST_ERROR;
import static dev.postcommit.layout.Role.LOCKED_BY;
import static dev.postcommit.layout.Role.LOCKED_UNTIL;
import static dev.postcommit.layout.Role.PAYLOAD;
import static dev.postcommit.layout.Role.PROCESSED;
import static dev.postcommit.layout.Role.SEQ;
import static dev.postcommit.layout.Role.UPDATED_AT;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The kinds of {@link Lifecycle}, for code that differs between them. */
public enum LifecycleKind {
  /** {@link Lifecycle.Claimed}. */
  CLAIMED,
  /** {@link Lifecycle.Log}. */
  LOG,
  /** {@link Lifecycle.Leased}. */
  LEASED,
  /** {@link Lifecycle.Status}. */
  STATUS,
  /** {@link Lifecycle.PublishedAt}. */
  PUBLISHED_AT,
  /** {@link Lifecycle.ProcessedFlag}. */
  PROCESSED_FLAG;

  /** The roles that must have a column, beside {@link Role#ID} and {@link Role#PAYLOAD}. */
  private List<Role> own() {
    return switch (this) {
      case CLAIMED ->
          List.of(SEQ, KEY, CREATED_AT, Role.STATUS, DUE_AT, ATTEMPTS, LAST_ERROR, DELIVERED_AT);
      case LOG -> List.of(SEQ, KEY, CREATED_AT);
      case LEASED ->
          List.of(
              KEY,
              CREATED_AT,
              Role.STATUS,
              DUE_AT,
              ATTEMPTS,
              LAST_ERROR,
              LOCKED_BY,
              LOCKED_UNTIL,
              UPDATED_AT);
      case STATUS -> List.of(Role.STATUS);
      case PUBLISHED_AT -> List.of(DELIVERED_AT, ATTEMPTS);
      case PROCESSED_FLAG -> List.of(PROCESSED);
    };
  }

  /** The roles that must have a column. */
  public List<Role> needs() {
    return Stream.concat(Stream.of(ID, PAYLOAD), own().stream()).toList();
  }

  /**
   * Whether relays take rows by locking them in a transaction that stays open until the batch is
   * settled, so that those of a killed relay are free at once. What a relay must remember and the
   * table has no column for is kept in tables beside it: see {@link Layout#failures} and {@link
   * Layout#headers}.
   */
  public boolean isHeld() {
    return this == STATUS || this == PUBLISHED_AT || this == PROCESSED_FLAG;
  }

  /** Whether the table is always Postcommit's own, so that no existing table can be adopted. */
  public boolean isOwn() {
    return this == CLAIMED || this == LOG;
  }

  /** The name in layout files and messages, for example {@code published-at}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
