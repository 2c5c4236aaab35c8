package dev.postcommit.inbox;

/**
 * Takes an event out of the message that carries it; the reverse of {@link
 * dev.postcommit.envelope.Envelope}. Safe for use by many threads.
 */
@FunctionalInterface
public interface EnvelopeReader {

  /**
   * The event that a message carries, its data byte for byte as it was written.
   *
   * @throws PermanentFailureException if the message carries none, saying what is missing and
   *     showing nothing of its content
   */
  ReceivedEvent<byte[]> read(ReceivedMessage message);
}
