package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.explorer.inbox.InboxScenarios;
import dev.postcommit.testkit.explorer.log.ExactlyOnceScenarios;
import dev.postcommit.testkit.explorer.log.LogScenarios;
import dev.postcommit.testkit.explorer.outbox.HeldScenarios;
import dev.postcommit.testkit.explorer.outbox.ModkitScenarios;
import dev.postcommit.testkit.explorer.outbox.NativeScenarios;
import dev.postcommit.testkit.explorer.relay.RelayScenario;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Lists all scenarios. */
public final class Scenarios {
  private Scenarios() {}

  /** Returns all scenarios, by the kind of storage they test. */
  public static Map<String, List<Scenario>> all() {
    Map<String, List<Scenario>> all = new LinkedHashMap<>();
    all.put("native", with(NativeScenarios.all(), RelayScenario.onNative()));
    all.put("modkit", with(ModkitScenarios.all(), RelayScenario.onModkit()));
    all.put("held", HeldScenarios.all());
    all.put("log", with(LogScenarios.all(), RelayScenario.onLog()));
    all.put("exactly-once", ExactlyOnceScenarios.all());
    all.put("inbox", InboxScenarios.all());
    return all;
  }

  private static List<Scenario> with(List<Scenario> some, RelayScenario relays) {
    return Stream.concat(some.stream(), Stream.of(relays, relays.withTakeovers())).toList();
  }
}
