package dev.postcommit.internal.write;

import dev.postcommit.PayloadSerializer;
import org.jspecify.annotations.Nullable;

/**
 * The limits of an outbox besides those of its layout.
 *
 * @param maxPayloadBytes the largest payload, with its headers
 * @param tenantCheck whether a dedupe key must begin with the tenant's id
 * @param topicCheck whether the topic must be a name that Kafka allows
 * @param payloadSerializer serialises payloads that are objects; null if there may be none
 */
public record WritingRules(
    int maxPayloadBytes,
    boolean tenantCheck,
    boolean topicCheck,
    @Nullable PayloadSerializer payloadSerializer) {}
