package dev.postcommit.testkit.explorer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The scenarios there are. */
public final class Scenarios {
  private Scenarios() {}

  /** All of them, by the kind of storage that they are about. */
  public static Map<String, List<Scenario>> all() {
    Map<String, List<Scenario>> all = new LinkedHashMap<>();
    return all;
  }
}
