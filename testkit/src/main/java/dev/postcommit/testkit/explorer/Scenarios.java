package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
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

  /**
   * Whole relays with all their threads. Their runs depend on more than the schedule, and take
   * longer than others.
   */
  public static List<Scenario> wholeRelays() {
    return List.of(
        relays("native", Samples.NATIVE),
        relays("log", Samples.LOG),
        relays("modkit", Samples.MODKIT),
        relays("logistik", Samples.LOGISTIK));
  }

  private static Scenario relays(String name, LayoutSample sample) {
    return new RelayScenario("relay-" + name, sample);
  }
}
