package dev.postcommit.spring;

import dev.postcommit.RetryPolicy;
import dev.postcommit.registry.EventRegistry;
import dev.postcommit.registry.InvalidRegistryException;
import dev.postcommit.relay.EventCheck;
import java.nio.file.Path;
import java.util.Map;

/** The registry of postcommit-registry, which may be missing. */
final class Registries {
  private static final String REGISTRY = "dev.postcommit.registry.EventRegistry";

  private Registries() {}

  static EventCheck load(String file) {
    ClassPath.require(REGISTRY, "postcommit.registry-file is set", "postcommit-registry");
    try {
      return EventRegistry.load(Path.of(file));
    } catch (InvalidRegistryException e) {
      throw Given.invalid("registry-file", file, String.valueOf(e.getMessage()));
    }
  }

  /** The policies by event type that a check has, if it is a registry. */
  static Map<String, RetryPolicy> retryPolicies(EventCheck check) {
    return ClassPath.has(REGISTRY) && check instanceof EventRegistry registry
        ? registry.retryPolicies()
        : Map.of();
  }
}
