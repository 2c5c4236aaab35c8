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

  /** Makes them; nothing runs yet. */
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

  /** Does some work on a relay whose lines in the log can be told from those of the others. */
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

  /** Stops them side by side, so that the slowest decides how long it takes. */
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
