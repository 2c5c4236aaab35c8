package dev.postcommit.server;

import dev.postcommit.internal.Daemons;
import dev.postcommit.relay.RelayListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** All relays of the process. */
public final class Relays implements AutoCloseable {
  private final List<RunningRelay> relays = new ArrayList<>();

  /** Makes them; nothing runs yet. */
  Relays(List<RelayPlan> plans, Function<RelayPlan, List<RelayListener>> listeners) {
    try {
      for (RelayPlan plan : plans) {
        relays.add(new RunningRelay(plan, listeners.apply(plan)));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  void start() {
    relays.forEach(RunningRelay::start);
  }

  /** Each of them. */
  public List<RunningRelay> all() {
    return List.copyOf(relays);
  }

  /** The one of this name. */
  public Optional<RunningRelay> find(String name) {
    return relays.stream().filter(relay -> relay.name().equals(name)).findFirst();
  }

  /** Stops them side by side, so that the slowest decides how long it takes. */
  @Override
  public void close() {
    ExecutorService closing = Executors.newCachedThreadPool(Daemons.named("postcommit-closing"));
    try {
      CompletableFuture.allOf(
              relays.stream()
                  .map(relay -> CompletableFuture.runAsync(relay::close, closing))
                  .toArray(CompletableFuture[]::new))
          .join();
    } finally {
      closing.shutdown();
    }
  }
}
