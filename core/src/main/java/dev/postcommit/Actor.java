package dev.postcommit;

import dev.postcommit.internal.EventChecks;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who brought a {@link DomainEvent} about.
 *
 * @param userId the user
 * @param storeId the store the user acted for, if any
 * @param role the role the user acted in, if any
 */
public record Actor(UUID userId, @Nullable UUID storeId, @Nullable String role) {

  /** Refuses a missing user and a blank role, with {@link InvalidEventException}. */
  public Actor {
    EventChecks.required("actor.userId", userId);
    EventChecks.optionalText("actor.role", role);
  }
}
