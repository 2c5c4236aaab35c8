package dev.postcommit.testkit.explorer.outbox;

import dev.postcommit.testkit.contract.LayoutSample;
import java.time.Duration;

/** What may happen where relays hold leases: claimed and leased storage. */
public final class LeaseStories {
  /** Longer than the floor waits for an open transaction. */
  private static final Duration LONG = Duration.ofMillis(120);

  private final ClaimStories stories;

  public LeaseStories(String prefix, LayoutSample sample) {
    this.stories = new ClaimStories(prefix, sample);
  }

  /** Events on their last attempts, and relays that are killed. */
  public OutboxScenario.Builder lastAttempts() {
    return stories
        .named("last-attempts")
        .writer("writer-1", "a1")
        .writer("writer-2", "a2")
        .actor("relay-1", ClaimRelay.of(2, 1).endsWithLease())
        .actor("relay-2", ClaimRelay.of(2, 10).endsWithLease())
        .maxAttempts(1)
        .leasesEnd()
        .kill("relay-1");
  }

  /** An event that fails, and a relay that settles it after its lease. */
  public OutboxScenario.Builder lateSettlement() {
    return stories
        .named("late-settlement")
        .actor("relay-1", ClaimRelay.of(2, 1).after("z1"))
        .actor("relay-2", ClaimRelay.of(1, 1).after("z2"))
        .actor("backlog", ClaimStories.backlog("a1"))
        .fails("a1", 1)
        .leasesEnd();
  }

  /** The same, after another gave it up and an operator replayed it: its attempts begin anew. */
  public OutboxScenario.Builder settlementAfterReplay() {
    return stories
        .named("settlement-after-replay")
        .actor("relay-1", ClaimRelay.of(2, 1).endsWithLease())
        .actor("relay-2", ClaimRelay.of(1, 1))
        .actor("meanwhile", leaseEndsAndAnotherGivesUp())
        .actor("backlog", ClaimStories.backlog("a1"))
        .rejects("a1", 1);
  }

  /** Leases end, another relay claims once, and an operator replays what that gave up. */
  private static OutboxPlay.Part leaseEndsAndAnotherGivesUp() {
    return ClaimStories.inTurn(Faults.leasesEnd(), ClaimRelay.of(1, 1), Faults.replay("meanwhile"));
  }

  /**
   * The same with two threads of one relay: the one settles late, the other has the event again.
   */
  public OutboxScenario.Builder settlementOfOwnLease() {
    ClaimRelay relay = ClaimRelay.of(2, 1).endsWithLease();
    return stories
        .named("settlement-of-own-lease")
        .actor("relay-1", relay)
        .actor(
            "meanwhile",
            ClaimStories.inTurn(leaseEndsAndAnotherGivesUp(), ClaimRelay.of(1, 1).threadOf(relay)))
        .actor("backlog", ClaimStories.backlog("a1"))
        .rejects("a1", 1);
  }

  /** Two namespaces with relays of their own, of which one has few attempts. */
  public OutboxScenario.Builder scopes() {
    return stories
        .named("scopes")
        .writer("writer-1", in("patient", "a1"))
        .writer("writer-2", in("strict", "b1"))
        .actor("relay-1", ClaimRelay.of(1, 10).in("patient"))
        .actor("relay-2", ClaimRelay.of(2, 10).in("strict").endsWithLease())
        .actor("relay-3", ClaimRelay.of(1, 10).in("patient"))
        .maxAttempts("strict", 1)
        .leasesEnd()
        .kill("relay-1");
  }

  private static OutboxScenario.WriterPart in(String namespace, String event) {
    return writer -> {
      writer.begin();
      writer.enqueueIn(namespace, event);
      writer.commit();
    };
  }

  /** A relay that has delivered events before, and a writer that commits late. */
  public OutboxScenario.Builder floor() {
    return stories
        .named("floor")
        .writer("writer-1", ClaimStories.two("a1", "b1"))
        .writer("writer-2", "a2")
        .writer(
            "writer-3",
            writer -> {
              writer.begin();
              writer.enqueue("a3");
              writer.commit();
              writer.begin();
              writer.enqueue("a4");
              writer.commit();
            })
        .actor("relay-1", ClaimRelay.of(4, 1).after("z1", "z2"))
        .actor("relay-2", ClaimRelay.of(2, 10).after("z3"))
        .unavailable("a1", 1)
        .once();
  }

  /** A writer waits for a dedupe key while a relay delivers what was written after it. */
  public OutboxScenario.Builder waiting() {
    return stories
        .named("waiting")
        .actor(
            "holder",
            new BegunWriter(
                writer -> {
                  writer.begin();
                  writer.enqueue("a1", "once");
                },
                OutboxScenario.Writer::rollback))
        .writer(
            "writer-1",
            writer -> {
              ClaimStories.deduplicated("a2", true).write(writer);
              writer.begin();
              writer.enqueue("a3");
              writer.commit();
            })
        .actor("relay-1", ClaimRelay.of(3, 10).after("z1", "z2").writing("b1"))
        .once();
  }

  /** Time passes for a relay: it looks behind, and stops waiting for old transactions. */
  public OutboxScenario.Builder patience() {
    return stories
        .named("patience")
        .writer("writer-1", ClaimStories.two("a1", "b1"))
        .writer("writer-2", "a2")
        .writer("writer-3", ClaimStories.two("b2", "a3"))
        .actor("relay-1", ClaimRelay.of(5, 10).after("z1", "z2").pause(LONG))
        .actor("relay-2", ClaimRelay.of(2, 1))
        .unavailable("b1", 1)
        .once();
  }

  /** A relay whose session is lost, and which goes on later, while another takes over. */
  public OutboxScenario.Builder takeOver() {
    return stories
        .named("take-over")
        .writer("writer-1", ClaimStories.two("a1", "a2"))
        .writer("writer-2", "a3")
        .actor("relay-1", ClaimRelay.of(2, 2).isSeen())
        .actor("relay-2", ClaimRelay.of(3, 10).isSeen())
        .cutOff("relay-1");
  }

  /** The same with an event that is refused once, until the old lease has ended. */
  public OutboxScenario.Builder refused() {
    return stories
        .named("refused")
        .actor("backlog", ClaimStories.backlog("a1", "a2"))
        .writer("writer-1", "a3")
        .writer("writer-2", "b1")
        .actor("relay-1", ClaimRelay.of(1, 2).isSeen().endsWithLease())
        .actor("relay-2", ClaimRelay.of(3, 10).isSeen().endsWithLease())
        .rejectsCopy("a1")
        .cutOff("relay-1")
        .leasesEnd();
  }

  /** The same on a last attempt, with a relay that is killed. */
  public OutboxScenario.Builder takenOnLastAttempt() {
    return stories
        .named("taken-on-last-attempt")
        .actor("backlog", ClaimStories.backlog("a1"))
        .writer("writer-1", "a2")
        .writer("writer-2", "b1")
        .actor("relay-1", ClaimRelay.of(1, 2).isSeen().endsWithLease())
        .actor("relay-2", ClaimRelay.of(3, 10).isSeen().endsWithLease())
        .maxAttempts(1)
        .kill("relay-1")
        .leasesEnd();
  }
}
