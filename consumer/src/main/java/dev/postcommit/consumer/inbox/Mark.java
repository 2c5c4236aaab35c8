package dev.postcommit.consumer.inbox;

/**
 * The right to handle one event, from an {@link IdempotencyStore} that said to proceed.
 *
 * @param consumer the consumer that has the mark
 * @param eventId the event's id
 * @param token identifies this mark among all that were ever set for the event
 */
public record Mark(String consumer, String eventId, String token) {}
