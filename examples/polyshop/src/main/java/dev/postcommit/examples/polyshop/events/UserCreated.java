package dev.postcommit.examples.polyshop.events;

import java.time.Instant;
import java.util.UUID;

/** A user has registered. */
public record UserCreated(UUID userId, String email, String fullName, Instant createdAt) {}
