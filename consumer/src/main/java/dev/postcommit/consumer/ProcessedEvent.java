package dev.postcommit.consumer;

import org.jspecify.annotations.Nullable;

/**
 * What a row of {@code processed_events} tells of an event.
 *
 * @param id the event's id
 * @param type its type, if known
 * @param source the service it came from, if known
 */
public record ProcessedEvent(String id, @Nullable String type, @Nullable String source) {}
