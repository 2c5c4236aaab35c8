package dev.postcommit.examples.minichat;

import dev.postcommit.examples.minichat.chat.ChatService;
import dev.postcommit.examples.minichat.chat.Ending;
import dev.postcommit.examples.minichat.chat.Model;
import dev.postcommit.examples.minichat.chat.Reservation;
import dev.postcommit.examples.minichat.usage.TokenUsage;
import dev.postcommit.examples.minichat.usage.ToolCalls;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Users of several tenants who chat, by several threads, with everything that can happen. */
final class Traffic implements AutoCloseable {
  static final int TENANTS = 3;

  private static final int USERS_PER_TENANT = 4;
  private static final int THREADS = 4;
  private static final long PLENTY = 1_000_000_000_000L;
  private static final int KINDS = 16;

  private final ChatService service;
  private final List<UUID> chats = new ArrayList<>();
  private final UUID poorChat;
  private final ExecutorService workers = Executors.newFixedThreadPool(THREADS);
  private final ExecutorService rivals = Executors.newCachedThreadPool();
  private final List<Future<?>> running = new ArrayList<>();
  private final Tally tally;

  Traffic(ChatService service, Tally tally) throws SQLException {
    this.service = service;
    this.tally = tally;
    for (int tenant = 0; tenant < TENANTS; tenant++) {
      UUID tenantId = UUID.randomUUID();
      for (int user = 0; user < USERS_PER_TENANT; user++) {
        chats.add(service.openChat(tenantId, UUID.randomUUID(), PLENTY));
      }
    }
    poorChat = service.openChat(UUID.randomUUID(), UUID.randomUUID(), 0);
  }

  /** Begins so many requests. */
  void start(int requests) {
    for (int thread = 0; thread < THREADS; thread++) {
      int first = thread;
      running.add(
          workers.submit(
              () -> {
                Random random = new Random(first);
                for (int number = first; number < requests; number += THREADS) {
                  request(number, random);
                }
                return null;
              }));
    }
  }

  private void request(int number, Random random) throws Exception {
    UUID chat = chats.get(random.nextInt(chats.size()));
    TokenUsage usage = TokenUsage.of(random.nextInt(50, 500), random.nextInt(0, 600));
    switch (number % KINDS) {
      case 0 -> tally.count(service.reserve(chat, UUID.randomUUID(), Model.STANDARD, " "));
      case 1 -> tally.count(service.reserve(poorChat, UUID.randomUUID(), Model.PREMIUM, "Why?"));
      case 2 -> service.finalise(repeated(chat), new Ending.Failed(null));
      case 3, 4 -> service.finalise(reserve(chat), new Ending.Failed(usage));
      case 5, 6 -> service.finalise(reserve(chat), new Ending.Aborted(usage));
      case 7, 8, 9 -> race(reserve(chat), usage);
      case 10 -> reserve(chat); // an orphan: its worker is never heard of again
      default ->
          service.finalise(reserve(chat), new Ending.Completed(usage, new ToolCalls(1, 0, 2)));
    }
  }

  private UUID reserve(UUID chat) throws SQLException {
    Model model = chat.hashCode() % 2 == 0 ? Model.PREMIUM : Model.STANDARD;
    Reservation reservation = service.reserve(chat, UUID.randomUUID(), model, "Why is it so?");
    tally.count(reservation);
    return ((Reservation.Reserved) reservation).turnId();
  }

  /** A client that sends its request twice. */
  private UUID repeated(UUID chat) throws SQLException {
    UUID request = UUID.randomUUID();
    Reservation first = service.reserve(chat, request, Model.STANDARD, "Hello?");
    tally.count(first);
    tally.count(service.reserve(chat, request, Model.STANDARD, "Hello?"));
    return ((Reservation.Reserved) first).turnId();
  }

  /** The answer is complete at the moment in which the client goes away. */
  private void race(UUID turn, TokenUsage usage) throws Exception {
    CyclicBarrier start = new CyclicBarrier(2);
    Callable<Void> disconnect =
        () -> {
          start.await();
          service.finalise(turn, new Ending.Aborted(null));
          return null;
        };
    Future<Void> rival = rivals.submit(disconnect);
    start.await();
    service.finalise(turn, new Ending.Completed(usage, ToolCalls.NONE));
    rival.get();
  }

  /** Waits for all requests, and lets two watchdogs at once abort the turns that are left. */
  void finish() throws InterruptedException, ExecutionException {
    for (Future<?> worker : running) {
      worker.get();
    }
    for (Future<?> watchdog : List.of(rivals.submit(this::watch), rivals.submit(this::watch))) {
      watchdog.get();
    }
  }

  private int watch() throws SQLException {
    return service.abortOrphans(Duration.ZERO);
  }

  @Override
  public void close() {
    workers.shutdownNow();
    rivals.shutdownNow();
  }
}
