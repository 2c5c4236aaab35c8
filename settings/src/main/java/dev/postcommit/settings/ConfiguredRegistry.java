package dev.postcommit.settings;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Layout;
import dev.postcommit.registry.EventRegistry;
import dev.postcommit.registry.InvalidRegistryException;
import dev.postcommit.relay.EventCheck;
import java.nio.file.Path;
import java.util.Map;

/** The registry of an optional module, and so only loaded if that is there. */
final class ConfiguredRegistry {
  private ConfiguredRegistry() {}

  static EventRegistry load(SettingValues values, Layout layout) {
    Path file = values.get(MessageSettings.REGISTRY_FILE);
    try {
      EventRegistry registry = EventRegistry.load(file);
      int most = layout.retryPolicy().maxAttempts();
      registry.retryPolicies().forEach((type, policy) -> check(type, policy, most, values));
      return registry;
    } catch (InvalidRegistryException e) {
      throw values.invalid(MessageSettings.REGISTRY_FILE, e);
    }
  }

  private static void check(String type, RetryPolicy policy, int most, SettingValues values) {
    if (policy.maxAttempts() > most) {
      throw new SettingException(
          "%s: %s: event type %s allows %s attempts, more than %s (%d); lower its maxAttempts or raise that"
              .formatted(
                  values.name(MessageSettings.REGISTRY_FILE),
                  values.get(MessageSettings.REGISTRY_FILE),
                  type,
                  RelaySettings.attempts(policy.maxAttempts()),
                  values.name(RelaySettings.MAX_ATTEMPTS),
                  most));
    }
  }

  /** The retry policies by event type that a check has if it is a registry. */
  static Map<String, RetryPolicy> retryPolicies(EventCheck check) {
    return check instanceof EventRegistry registry ? registry.retryPolicies() : Map.of();
  }
}
