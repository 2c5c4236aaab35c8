package dev.postcommit.settings;

import java.util.Map;

/** The optional modules on the class path. */
public final class Modules {
  private static final Map<String, String> CLASSES =
      Map.of(
          "postcommit-cloudevents", "dev.postcommit.cloudevents.CloudEventsEnvelope",
          "postcommit-registry", "dev.postcommit.registry.EventRegistry");

  private Modules() {}

  static boolean has(String artifact) {
    try {
      Class.forName(CLASSES.get(artifact), false, Thread.currentThread().getContextClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  static void require(String artifact, String why) {
    if (!has(artifact)) {
      throw missing(artifact, why);
    }
  }

  /** A setting needs a module that is not there. */
  public static SettingException missing(String artifact, String why) {
    return new SettingException(
        "%s, and %s is not on the class path; add the dependency dev.postcommit:%2$s"
            .formatted(why, artifact));
  }
}
