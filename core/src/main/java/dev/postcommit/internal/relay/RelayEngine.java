package dev.postcommit.internal.relay;

import dev.postcommit.envelope.Envelope;
import dev.postcommit.internal.check.Readiness;
import dev.postcommit.internal.factory.Stores;
import dev.postcommit.internal.relay.health.Availability;
import dev.postcommit.internal.relay.health.DatabaseHealth;
import dev.postcommit.internal.relay.health.OwnSession;
import dev.postcommit.internal.relay.health.Shutdown;
import dev.postcommit.internal.relay.health.TableReadiness;
import dev.postcommit.internal.relay.topics.TopicExchange;
import dev.postcommit.internal.relay.topics.TopicReleases;
import dev.postcommit.internal.relay.topics.UnavailableTopics;
import dev.postcommit.internal.store.CheckpointedLog;
import dev.postcommit.internal.store.DeferredEvents;
import dev.postcommit.internal.store.RelayRow;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.internal.store.StandbyPositions;
import dev.postcommit.internal.store.Takeovers;
import dev.postcommit.internal.store.TopicRegistry;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.EventCheck;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.relay.Router;
import dev.postcommit.relay.Standbys;
import dev.postcommit.relay.TransactionalPublisher;
import dev.postcommit.store.LayoutCheck;
import dev.postcommit.support.Daemons;
import dev.postcommit.support.LogContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link Relay}: lanes that claim one at a time, one thread that renews leases, one that shows
 * that the relay is there, one that deletes old delivered rows, and one that queries the standbys
 * if the relay waits for them.
 */
public final class RelayEngine implements Relay {
  private static final Logger log = LoggerFactory.getLogger(RelayEngine.class);

  /** Added to the drain timeout for the settlements that follow it. */
  private static final Duration LAST_SETTLEMENTS = Duration.ofSeconds(2);

  /** How long closing waits until the relay does not show itself any more. */
  private static final Duration LAST_SIGN = Duration.ofSeconds(1);

  /** How long closing waits for a batch of rows that is being deleted. */
  private static final Duration LAST_PRUNE = Duration.ofSeconds(1);

  private final UUID id = UUID.randomUUID();
  private final Layout layout;
  private final RelayConfig config;
  private final LargestMessage largest;
  private final RelayStore store;
  private final Availability broker;
  private final DatabaseHealth database;
  private final OwnSession session;
  private final Shutdown shutdown;
  private final Poller poller;
  private final LeaseKeeper keeper;
  private final Presence presence;
  private final Thread presenceThread;
  private final @Nullable Pruner pruner;
  private final @Nullable Thread prunerThread;
  private final PauseState pauseState;
  private final Availability standbys;
  private final @Nullable StandbyWait standbyWait;
  private final List<Thread> lanes = new ArrayList<>();

  /** All threads without which the relay cannot go on, the lanes among them. */
  private final List<Thread> vital = new ArrayList<>();

  private final AtomicBoolean started = new AtomicBoolean();

  /** Puts the context together; no I/O, and no thread runs yet. */
  public RelayEngine(
      DataSource dataSource,
      Layout layout,
      Publisher publisher,
      EventCheck check,
      Router router,
      Envelope envelope,
      List<RelayListener> listeners,
      RelayConfig config,
      LargestMessage largest) {
    this.layout = layout;
    this.config = config;
    this.largest = largest;
    RelayListener listener = new GuardedListener(listeners);
    broker = new Availability("broker", listener::brokerUnavailable, listener::brokerRecovered);
    Layout table = layout.withRetryPolicy(config.retryPolicy());
    @Nullable CheckpointedLog checkpointed =
        publisher instanceof TransactionalPublisher transactional
            ? Stores.open(dataSource, table, id, new BrokerCheckpoints(transactional, broker))
            : null;
    // What a relay holds in a held table goes with the session of its transaction.
    boolean isShared = !layout.isHeld();
    store = checkpointed == null ? Stores.open(dataSource, table, id) : checkpointed;
    RelayConfig inUse = checkpointed == null ? config : Transactions.adjusted(config);
    Messages messages = new Messages(check, router, envelope, listener);
    UnavailableTopics topics =
        new UnavailableTopics(
            listener,
            new TopicReleases(new DeferredEvents(dataSource, layout), config.lease()),
            new TopicExchange(new TopicRegistry(dataSource, layout)),
            config.giveUpAfter());
    session = new OwnSession(isShared ? dataSource : null);
    RelayContext context =
        new RelayContext(store, publisher, messages, listener, inUse, broker, session, topics);
    database = context.database();
    pauseState = context.pauseState();
    shutdown = context.shutdown();
    standbys = context.standbys();
    standbyWait = standbyWait(dataSource, context);
    TableReadiness readiness =
        new TableReadiness(
            () -> withStandbys(unfit(LayoutCheck.of(dataSource, layout))),
            () -> withStandbys(Readiness.problems(dataSource, layout)),
            System::nanoTime);
    poller = new Poller(context, readiness);
    keeper = new LeaseKeeper(store, config.lease());
    RelayRow row = new RelayRow(dataSource, layout);
    @Nullable Takeovers takeovers =
        isShared
            ? new Takeovers(dataSource, table, id, Poller.request(inUse), System::nanoTime)
            : null;
    presence = new Presence(id, row, takeovers, context, this::state, poller);
    presenceThread = thread("presence", presence);
    pruner = Pruner.of(dataSource, layout, config.retention(), listener, this::state);
    prunerThread = pruner == null ? null : thread("pruning", pruner);
    @Nullable Transactions transactions =
        checkpointed != null && publisher instanceof TransactionalPublisher transactional
            ? new Transactions(context, checkpointed, transactional, poller)
            : null;
    for (int i = 1; i <= inUse.batchesInFlight(); i++) {
      lanes.add(thread("lane-" + i, new Lane(context, poller, keeper, transactions, standbyWait)));
    }
    vital.add(thread("leases", keeper));
    if (standbyWait != null) {
      vital.add(thread("standbys", standbyWait));
    }
    vital.addAll(lanes);
    if (prunerThread != null) {
      vital.add(prunerThread);
    }
  }

  private @Nullable StandbyWait standbyWait(DataSource dataSource, RelayContext context) {
    @Nullable Standbys wanted = config.standbys();
    return wanted == null
        ? null
        : new StandbyWait(
            wanted, new StandbyPositions(dataSource, layout, id, wanted.names()), context);
  }

  /** What keeps the table from being used. */
  private List<String> unfit(LayoutCheck check) {
    if (standbyWait == null) {
      return check.relay();
    }
    return Stream.of(check.relay(), check.standbys()).flatMap(List::stream).toList();
  }

  /** The same, once it is known of which server what is claimed from now on will be. */
  private List<String> withStandbys(List<String> problems) {
    if (standbyWait != null && problems.isEmpty()) {
      standbyWait.learnRun();
    }
    return problems;
  }

  private Thread thread(String name, Runnable work) {
    Map<String, String> table = Map.of(LogContext.TABLE, layout.table().toString());
    return Daemons.named("postcommit-" + layout.table() + "-" + name)
        .newThread(() -> LogContext.with(table, work));
  }

  @Override
  public UUID id() {
    return id;
  }

  @Override
  public void start() {
    if (shutdown.hasBegun() || !started.compareAndSet(false, true)) {
      throw new IllegalStateException("relay " + id + " was started or closed before");
    }
    log.info("relay {} starts on {} ({} layout)", id, layout.table(), layout.name());
    largest.problem().ifPresent(problem -> log.warn("relay {}: {}", id, problem));
    presenceThread.start();
    vital.forEach(Thread::start);
  }

  @Override
  public void wakeUp() {
    poller.wakeUp();
  }

  @Override
  public void retryNow() {
    poller.retryNow();
  }

  @Override
  public State state() {
    boolean hasEnded =
        vital.stream().anyMatch(thread -> thread.getState() == Thread.State.TERMINATED);
    if (shutdown.hasBegun()) {
      return State.STOPPED;
    }
    if (!started.get()) {
      return State.NEW;
    }
    if (hasEnded) {
      return State.FAILED;
    }
    if (!database.isAvailable()) {
      return State.DATABASE_UNAVAILABLE;
    }
    if (!broker.isAvailable()) {
      return State.BROKER_UNAVAILABLE;
    }
    if (!standbys.isAvailable()) {
      return State.STANDBYS_UNAVAILABLE;
    }
    return pauseState.isPaused() && !poller.isClaiming() ? State.PAUSED : State.RUNNING;
  }

  @Override
  public synchronized void close() {
    if (shutdown.hasBegun()) {
      return;
    }
    shutdown.begin(config.drainTimeout());
    poller.stop();
    if (standbyWait != null) {
      standbyWait.stop();
    }
    if (pruner != null && prunerThread != null) {
      pruner.stop();
      prunerThread.interrupt();
    }
    boolean ended = join(lanes, config.drainTimeout().plus(LAST_SETTLEMENTS));
    if (!ended) {
      lanes.forEach(Thread::interrupt);
      join(lanes, LAST_SETTLEMENTS);
    }
    keeper.stop();
    presence.stop();
    store.close();
    if (prunerThread != null) {
      join(List.of(prunerThread), LAST_PRUNE);
    }
    join(List.of(presenceThread), LAST_SIGN);
    presenceThread.interrupt();
    session.close();
    if (started.get()) {
      log.info("relay {} stopped on {}", id, layout.table());
    }
  }

  private static boolean join(List<Thread> threads, Duration time) {
    long until = System.nanoTime() + time.toNanos();
    try {
      for (Thread thread : threads) {
        thread.join(Math.max(1, Duration.ofNanos(until - System.nanoTime()).toMillis()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return threads.stream().noneMatch(Thread::isAlive);
  }
}
