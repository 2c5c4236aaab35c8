package dev.postcommit.consumer.inbox;

import org.jspecify.annotations.Nullable;

/**
 * A row of {@code processed_events}.
 *
 * @param id the event's id
 * @param type its type, if known
 * @param source the service it came from, if known
 */
public record ProcessedEvent(String id, @Nullable String type, @Nullable String source) {}
