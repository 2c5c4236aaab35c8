package dev.postcommit.kafka.consumer;

import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import dev.postcommit.testkit.redis.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** A topic with traffic, the processes of a consumer that read it, and the accidents they have. */
final class ConsumerScene implements AutoCloseable {

  /**
   * The end of a process.
   *
   * @param outstanding how many events were sent before it and had no effect after it
   */
  record Kill(long pid, Instant at, int outstanding) {}

  private static final int PARTITIONS = 6;
  private static final int INSTANCES = 3;
  private static final int ENOUGH = DuplicatedTraffic.BACKLOG / 2;
  private static final Duration LONG = Duration.ofMinutes(3);
  private static final Duration OFTEN = Duration.ofMillis(10);
  private static final Duration SELDOM = Duration.ofMillis(50);

  private final KafkaServer kafka;
  private final @Nullable RedisServer redis;
  private final Random random;
  private final String name = "crash-" + UUID.randomUUID();
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final Effects effects = new Effects(database.dataSource());
  private final Processes processes = Processes.create();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<ChildProcess> running = new ArrayList<>();
  private final List<ChildProcess> all = new ArrayList<>();
  private final Admin admin;
  private final DuplicatedTraffic traffic;
  private @Nullable CompletableFuture<Void> sending;

  /**
   * Starts three processes and, when they share the partitions, the traffic: one that starts first
   * would have handled much of it before the others come.
   *
   * @param redis where marks are to be kept; null for one transaction of marks and effects
   * @param fewest how many events there are at least; there are more until {@link #awaitAllDone}
   */
  ConsumerScene(KafkaServer kafka, @Nullable RedisServer redis, int fewest, Random random) {
    this.kafka = kafka;
    this.redis = redis;
    this.random = random;
    kafka.createTopic(name, PARTITIONS);
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    traffic =
        new DuplicatedTraffic(
            kafka.bootstrapServers(), name, fewest, new Random(random.nextLong()), effects::events);
    for (int i = 0; i < INSTANCES; i++) {
      running.add(launch());
    }
    await("members of the group", SELDOM, () -> members().size() == INSTANCES);
    sending = CompletableFuture.runAsync(traffic, threads);
  }

  private ChildProcess launch() {
    Processes.Builder builder =
        processes
            .java(ConsumerProcess.class)
            .jvmOptions("-Xmx96m")
            .jvmOptions("-Djava.io.tmpdir=.")
            .arguments(name, kafka.bootstrapServers(), database.jdbcUrl(), database.username());
    if (redis != null) {
      builder.arguments(redis.url());
    }
    ChildProcess process = builder.start();
    all.add(process);
    return process;
  }

  Effects effects() {
    return effects;
  }

  DuplicatedTraffic traffic() {
    return traffic;
  }

  /** The consumer's name, and that of its group and of its topic. */
  String name() {
    return name;
  }

  /** Waits until so many events have had their effect. */
  void awaitEffects(int count) {
    await(count + " effects", OFTEN, () -> effects.events() >= count);
  }

  /** Waits for a process, any of them, that goes on working and has enough left to do. */
  ChildProcess awaitWorker() {
    await(ENOUGH + " events to do", OFTEN, () -> traffic.sent() - effects.events() >= ENOUGH);
    Map<Long, Integer> before = effects.byProcess();
    int choice = random.nextInt(running.size());
    List<ChildProcess> order = new ArrayList<>(running.subList(choice, running.size()));
    order.addAll(running.subList(0, choice));
    AtomicReference<@Nullable ChildProcess> worker = new AtomicReference<>();
    await(
        "worker since " + before,
        OFTEN,
        () -> {
          Map<Long, Integer> now = effects.byProcess();
          order.stream()
              .filter(each -> count(now, each) > count(before, each) + random.nextInt(20))
              .findFirst()
              .ifPresent(worker::set);
          return worker.get() != null;
        });
    return Objects.requireNonNull(worker.get());
  }

  private static int count(Map<Long, Integer> counts, ChildProcess process) {
    return counts.getOrDefault(process.pid(), 0);
  }

  /** Kills a process that is at work, by SIGKILL. */
  Kill kill() {
    ChildProcess victim = awaitWorker();
    int sent = traffic.sent();
    Instant at = Instant.now();
    victim.kill();
    running.remove(victim);
    int outstanding = sent - effects.events();
    // What it had sent may still be executed.
    Awaitility.await()
        .pollInterval(Duration.ofMillis(5))
        .until(() -> effects.sessions(victim.pid()).isEmpty());
    return new Kill(victim.pid(), at, outstanding);
  }

  /** Freezes a process that has had effects in a transaction that is still open. */
  ChildProcess freezeInTransaction() {
    return Awaitility.await()
        .atMost(LONG)
        .until(
            () -> {
              ChildProcess process = awaitWorker();
              process.freeze();
              if (!effects.openTransactions(process.pid()).isEmpty()) {
                return process;
              }
              process.thaw();
              return null;
            },
            process -> process != null);
  }

  /** Starts a process in the place of one that was killed. */
  void replace() {
    running.add(launch());
  }

  /** Ends the traffic, and waits until every message was sent and acknowledged by the group. */
  void awaitAllDone() throws Exception {
    traffic.end();
    Objects.requireNonNull(sending).get(LONG.toSeconds(), TimeUnit.SECONDS);
    await("end of the lag", SELDOM, () -> ConsumerGroups.lag(admin, name, name) == 0);
  }

  /**
   * Waits for a condition. Fails with all that is known of the processes: after a long time, or at
   * once if one of them, or the traffic, has ended by itself.
   */
  private void await(String what, Duration pollInterval, Callable<Boolean> condition) {
    try {
      Awaitility.await(what)
          .atMost(LONG)
          .pollInterval(pollInterval)
          .until(() -> areRunning() && condition.call());
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("no " + what + " within " + LONG + "; " + state(), e);
    }
  }

  private boolean areRunning() {
    for (ChildProcess process : running) {
      if (!process.alive()) {
        throw new AssertionError(process.pid() + " has ended; " + state());
      }
    }
    if (sending != null && sending.isCompletedExceptionally()) {
      sending.join();
    }
    return true;
  }

  /** The processes that Kafka takes for members of the group. */
  Set<String> members() throws Exception {
    return ConsumerGroups.members(admin, name);
  }

  /** How many messages were recognised as duplicates. */
  long duplicates() {
    return all.stream()
        .flatMap(process -> process.output().lines())
        .filter(line -> line.startsWith(ConsumerProcess.DUPLICATE))
        .count();
  }

  /** What is known of the messages of a key: which were sent, their effects, and the logs. */
  String story(String key) {
    Map<String, Integer> places = traffic.firstPlaces().get(key);
    StringBuilder story = new StringBuilder("messages:\n").append(traffic.messagesOf(key));
    story.append("\neffects:\n");
    for (Effects.Effect effect : effects.all()) {
      if (places.containsKey(effect.eventId())) {
        story.append(places.get(effect.eventId())).append(' ').append(effect).append('\n');
      }
    }
    return story.append(logs()).toString();
  }

  /** How far everything is, and the logs. */
  private String state() {
    return "%d events sent, %d with effects, by process %s, running %s%n%s"
        .formatted(
            traffic.sent(),
            effects.events(),
            effects.byProcess(),
            running.stream().map(ChildProcess::pid).toList(),
            logs());
  }

  String logs() {
    StringBuilder logs = new StringBuilder();
    for (ChildProcess process : all) {
      logs.append(process.pid()).append(":\n");
      process
          .output()
          .lines()
          .filter(line -> !line.startsWith(ConsumerProcess.DUPLICATE))
          .forEach(line -> logs.append(line).append('\n'));
    }
    return logs.toString();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    processes.close();
    admin.close();
    database.close();
  }
}
