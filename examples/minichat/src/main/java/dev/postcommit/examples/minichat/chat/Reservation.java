package dev.postcommit.examples.minichat.chat;

import java.util.UUID;

/**
 * What became of a request for a turn. Only a turn that has reserved quota emits an event later.
 */
public sealed interface Reservation {

  /** Quota is reserved, and the turn runs. */
  record Reserved(UUID turnId) implements Reservation {}

  /** The request was sent before; nothing has changed. */
  record AlreadyReserved(UUID turnId) implements Reservation {}

  /** The request is not acceptable; nothing has changed. */
  record Invalid(String problem) implements Reservation {}

  /** The user's quota is not enough for any model; nothing has changed. */
  record OverQuota() implements Reservation {}
}
