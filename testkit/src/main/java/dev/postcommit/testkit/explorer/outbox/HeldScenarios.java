package dev.postcommit.testkit.explorer.outbox;

import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;

/** Scenarios on tables whose rows are held while they are delivered. */
public final class HeldScenarios {
  private HeldScenarios() {}

  /** Those with few schedules first, of which all can be played. */
  public static List<Scenario> all() {
    List<OutboxScenario.Builder> all = new ArrayList<>();
    all.add(new ClaimStories("logistik", Samples.LOGISTIK).smallest());
    all.add(new ClaimStories("packfinderz", Samples.PACKFINDERZ).relays());
    add(all, "logistik", Samples.LOGISTIK);
    add(all, "packfinderz", Samples.PACKFINDERZ);
    add(all, "polyshop", Samples.POLYSHOP);
    all.add(namespace());
    return all.stream().<Scenario>map(OutboxScenario.Builder::build).toList();
  }

  private static void add(List<OutboxScenario.Builder> all, String prefix, LayoutSample sample) {
    ClaimStories stories = new ClaimStories(prefix, sample);
    all.add(stories.writers());
    all.add(stories.begun());
    all.add(stories.transactions());
    all.add(stories.leases());
    all.add(stories.cutOff());
    all.add(stories.retries());
    all.add(stories.dead());
    all.add(stories.operators());
  }

  /** Relays of one namespace do without the lock on the table: row locks alone keep the order. */
  public static OutboxScenario.Builder namespace() {
    return new ClaimStories("held-native", Samples.HELD_NATIVE)
        .named("namespace")
        .onTablesOf(Layout.nativeTable())
        .writer("writer-1", ClaimStories.two("a1", "b1"))
        .writer("writer-2", "a2")
        .actor("relay-1", ClaimRelay.of(2, 1).in("default"))
        .actor("relay-2", ClaimRelay.of(2, 10).in("default"))
        .once();
  }
}
