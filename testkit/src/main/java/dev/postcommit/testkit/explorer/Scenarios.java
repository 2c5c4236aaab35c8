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
    all.put("native", NativeScenarios.all());
    all.put("modkit", ModkitScenarios.all());
    all.put("held", HeldScenarios.all());
    all.put("log", LogScenarios.all());
    all.put("exactly-once", ExactlyOnceScenarios.all());
    all.put("inbox", InboxScenarios.all());
    return all;
  }
}
