package dev.postcommit.consumer;

/**
 * The right to handle one event, from an {@link IdempotencyStore} that said to proceed.
 *
 * @param consumer whose mark it is
 * @param eventId the event's id
 * @param token tells this mark from any other that was ever set for the event
 */
public record Mark(String consumer, String eventId, String token) {}
