package dev.postcommit.spring;

import org.springframework.util.ClassUtils;

/** Which of the optional modules are there. */
final class ClassPath {
  private ClassPath() {}

  static boolean has(String type) {
    return ClassUtils.isPresent(type, null);
  }

  /** Refuses to go on without a module that a setting asks for. */
  static void require(String type, String why, String artifact) {
    if (!has(type)) {
      throw missing(why, artifact);
    }
  }

  static SetupException missing(String why, String artifact) {
    return new SetupException(
        why + ", and " + artifact + " is not on the class path",
        "add the dependency dev.postcommit:" + artifact);
  }
}
