package dev.postcommit.inbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event that a consumer gave up on, to be sent to the dead-letter topic.
 *
 * @param eventId the event's id, if it could be read
 * @param eventType the event's type, if it could be read
 * @param message the message as it came
 * @param errorMessage why it was given up
 * @param errorClass the kind of error that it was given up for
 * @param attempts how often it was tried
 * @param failedAt when it was given up
 * @param consumerService who gave it up
 */
public record DeadLetter(
    @Nullable String eventId,
    @Nullable String eventType,
    ReceivedMessage message,
    String errorMessage,
    String errorClass,
    int attempts,
    Instant failedAt,
    String consumerService) {}
