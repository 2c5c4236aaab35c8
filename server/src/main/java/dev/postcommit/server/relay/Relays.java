package dev.postcommit.server.relay;

import dev.postcommit.layout.Layout;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.support.Daemons;
import dev.postcommit.support.LogContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** All relays of the process. */
public final class Relays implements AutoCloseable {
  private final List<RunningRelay> relays = new ArrayList<>();

  /** Creates the relays, without starting them. */
  public Relays(List<RelayPlan> plans, Function<RelayPlan, List<RelayListener>> listeners) {
    try {
      for (RelayPlan plan : plans) {
        LogContext.with(
            entries(plan.name(), plan.table().layout()),
            () -> relays.add(new RunningRelay(plan, listeners.apply(plan))));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  public void start() {
    relays.forEach(relay -> logged(relay, relay::start));
  }

  /** Runs something with the relay's name and table in the log context. */
  private static void logged(RunningRelay relay, Runnable work) {
    LogContext.with(entries(relay.name(), relay.layout()), work);
  }

  private static Map<String, String> entries(String name, Layout layout) {
    return Map.of(LogContext.RELAY, name, LogContext.TABLE, layout.table().toString());
  }

  /** Each of them. */
  public List<RunningRelay> all() {
    return List.copyOf(relays);
  }

  /** The one of this name. */
  public Optional<RunningRelay> find(String name) {
    return relays.stream().filter(relay -> relay.name().equals(name)).findFirst();
  }

  /** Stops them in parallel. */
  @Override
  public void close() {
    ExecutorService closing = Executors.newCachedThreadPool(Daemons.named("postcommit-closing"));
    try {
      CompletableFuture.allOf(
              relays.stream()
                  .map(
                      relay ->
                          CompletableFuture.runAsync(() -> logged(relay, relay::close), closing))
                  .toArray(CompletableFuture[]::new))
          .join();
    } finally {
      closing.shutdown();
    }
  }
}
