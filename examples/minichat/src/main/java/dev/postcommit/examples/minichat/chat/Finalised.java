package dev.postcommit.examples.minichat.chat;

import java.util.UUID;

/** What became of an attempt to finalise a turn. */
public sealed interface Finalised {

  /** The quota is settled, and the usage event is written. */
  record Settled(UUID eventId, long creditsMicro) implements Finalised {}

  /** Another was faster, and has enqueued the event; nothing has changed. */
  record AlreadyEnqueued(UUID eventId) implements Finalised {}

  /** The turn was final before; nothing has changed. */
  record AlreadyFinal(Turn.State state) implements Finalised {}
}
