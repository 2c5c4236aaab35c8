package dev.postcommit;

import dev.postcommit.internal.EventChecks;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who brought a {@link DomainEvent} about.
 *
 * @param userId the user
 * @param organizationId the organization that the user acted for, if any; {@code storeId} in the
 *     envelope
 * @param role the role the user acted in, if any
 */
public record Actor(UUID userId, @Nullable UUID organizationId, @Nullable String role) {

  /** Refuses a missing user and a blank role, with {@link InvalidEventException}. */
  public Actor {
    EventChecks.required("actor.userId", userId);
    EventChecks.optionalText("actor.role", role);
  }
}
