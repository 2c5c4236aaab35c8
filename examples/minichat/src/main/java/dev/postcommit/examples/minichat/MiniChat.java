package dev.postcommit.examples.minichat;

import dev.postcommit.examples.minichat.Tally.Told;
import dev.postcommit.examples.minichat.billing.Billing;
import dev.postcommit.examples.minichat.chat.ChatService;
import dev.postcommit.examples.minichat.chat.Ending;
import dev.postcommit.examples.minichat.chat.Finalised;
import dev.postcommit.examples.minichat.chat.Model;
import dev.postcommit.examples.minichat.chat.Reservation.Reserved;
import dev.postcommit.examples.minichat.dispatcher.DeadUsage;
import dev.postcommit.examples.minichat.dispatcher.UsageMetrics;
import dev.postcommit.examples.minichat.usage.TokenUsage;
import dev.postcommit.examples.minichat.usage.ToolCalls;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.DeadSummary;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.process.ChildProcess;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One run of the whole system, from users who chat to accounts that are charged. */
final class MiniChat {
  private static final long POLICY = 7;
  private static final long POLICY_UNKNOWN_TO_BILLING = 8;
  private static final double MICRO = 1_000_000;

  private final PrintStream out;
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final UsageMetrics metrics = new UsageMetrics(registry);
  private final Tally tally = new Tally();

  MiniChat(PrintStream out) {
    this.out = out;
  }

  /**
   * Runs it on databases of its own.
   *
   * @return whether all is as it should be
   */
  boolean run(PostgresServer postgres, int requests) throws Exception {
    try (PostgresDatabase chat = postgres.createDatabase();
        PostgresDatabase billing = postgres.createDatabase();
        Dispatchers dispatchers = new Dispatchers(chat, billing)) {
      ChatService.createTables(chat.dataSource());
      Billing.createTables(billing.dataSource(), POLICY);
      Set<UUID> poison;
      ChildProcess victim = dispatchers.start();
      ChildProcess survivor = dispatchers.start();
      say("dispatchers  two processes, %d and %d", victim.pid(), survivor.pid());
      try (Traffic traffic = new Traffic(service(chat.dataSource(), POLICY), tally)) {
        poison = Set.of(poison(service(chat.dataSource(), POLICY_UNKNOWN_TO_BILLING)));
        long held = dispatchers.killWhileItHoldsEvents(victim, () -> traffic.start(requests));
        traffic.finish();
        showTurns(requests);
        say(
            "killed       %d by SIGKILL, in the midst of deliveries; events it held: %d",
            victim.pid(), held);
      }
      dispatchers.awaitEmptyOutbox();
      showDead(new DeadUsage(OutboxAdmin.of(chat.dataSource(), Layout.preset("modkit")), registry));
      return show(Verdict.of(chat.dataSource(), billing.dataSource(), tally, poison));
    }
  }

  private ChatService service(DataSource dataSource, long policyVersion) {
    Consumer<Finalised> count = tally::count;
    return new ChatService(dataSource, policyVersion, count.andThen(metrics::finalised));
  }

  /** A turn under a policy that billing does not know, so that it refuses the event every time. */
  private UUID poison(ChatService service) throws SQLException {
    UUID chat = service.openChat(UUID.randomUUID(), UUID.randomUUID(), (long) MICRO);
    Reserved turn = (Reserved) service.reserve(chat, UUID.randomUUID(), Model.STANDARD, "Who?");
    tally.count(turn);
    service.finalise(turn.turnId(), new Ending.Completed(TokenUsage.of(10, 20), ToolCalls.NONE));
    return turn.turnId();
  }

  private void showTurns(int requests) {
    say(
        "requests     %d of %d tenants: %d turns began; %d invalid, %d over quota, %d sent twice",
        requests + 1,
        Traffic.TENANTS + 2,
        tally.of(Told.RESERVED),
        tally.of(Told.INVALID),
        tally.of(Told.OVER_QUOTA),
        tally.of(Told.REPEATED));
    say(
        "turns        %d settled; %d who came too late saw \"already enqueued\", %d that it is final",
        tally.of(Told.SETTLED), tally.of(Told.ALREADY_ENQUEUED), tally.of(Told.ALREADY_FINAL));
  }

  private void showDead(DeadUsage dead) {
    for (DeadSummary event : dead.events(10)) {
      say("dead         %s: %s", event.dedupeKey(), event.error());
    }
    DeadUsage.Reading reading = dead.read();
    say(
        "health       %s: %d dead, the oldest written %d s ago",
        reading.isDegraded() ? "degraded" : "ok",
        reading.backlog(),
        reading.oldestAge().toSeconds());
  }

  private boolean show(Verdict verdict) {
    verdict.problems().forEach(problem -> say("WRONG        %s", problem));
    say(
        "billing      %d charges of %.6f credits, by %d deliveries of %d events",
        verdict.billed(), verdict.billedMicro() / MICRO, verdict.attempts(), verdict.turns());
    if (verdict.problems().isEmpty()) {
      say(
          "verified: %d turns are charged exactly once, to the credit that was settled; nothing else"
              + " is charged or was enqueued; dead, as expected: %d",
          verdict.billed(), verdict.turns() - verdict.billed());
    }
    return verdict.problems().isEmpty();
  }

  private void say(String format, @Nullable Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}
