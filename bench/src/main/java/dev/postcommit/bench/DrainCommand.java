package dev.postcommit.bench;

import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.layout.Layout;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How fast one relay empties a backlog, beside the bare producer sending the same records. */
@Command(
    name = "drain",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Empties a backlog with one relay, order per key on: delivered rows kept, deleted, and both",
      "again while another transaction holds back the cleaning up of dead rows; and sends the same",
      "records with the bare Kafka producer. Rounds alternate; medians and ratios are printed."
    })
final class DrainCommand implements Callable<Integer> {
  @Option(names = "--events", description = "events in the backlog")
  private int events = 200_000;

  @Option(names = "--bytes", description = "size of a payload")
  private int bytes = 300;

  @Option(names = "--keys", description = "keys the events are spread over")
  private int keys = 10_000;

  @Option(names = "--rounds", description = "rounds that count, after one that does not")
  private int rounds = 3;

  private final Map<String, List<Double>> rates = new LinkedHashMap<>();

  @Override
  @SuppressWarnings("try") // held is a session that does nothing but stay open
  public Integer call() throws Exception {
    try (Servers servers = Servers.start();
        KafkaPublisher publisher = servers.publisher()) {
      for (int round = 0; round <= rounds; round++) {
        System.out.printf("round %d%s%n", round, round == 0 ? " (does not count)" : "");
        note(round, "bare producer", BareProducer.run(servers, events, bytes, keys));
        for (Horizon horizon : Horizon.values()) {
          for (Layout layout :
              List.of(Layout.nativeTable(), Layout.nativeTable().deletingOnDelivery())) {
            Backlog.fill(servers.dataSource(), Servers.TOPIC, events, bytes, keys);
            try (AutoCloseable held = horizon.hold(servers)) {
              String name =
                  (layout.keepsDelivered() ? "rows kept" : "rows deleted") + horizon.suffix;
              note(round, name, Drain.run(servers.dataSource(), layout, publisher, events));
            }
          }
        }
      }
    }
    print();
    return 0;
  }

  private void note(int round, String name, Duration took) {
    double rate = events / (took.toNanos() / 1e9);
    System.out.printf("  %-36s %,10.0f events/s%n", name, rate);
    if (round > 0) {
      rates.computeIfAbsent(name, n -> new ArrayList<>()).add(rate);
    }
  }

  private void print() {
    double bare = median("bare producer");
    System.out.printf(
        "%n%,d events of %d bytes, medians of %d rounds%n%-38s %10s %10s %10s %14s%n",
        events, bytes, rounds, "", "events/s", "least", "most", "of the bare");
    rates.forEach(
        (name, values) ->
            System.out.printf(
                "%-38s %,10.0f %,10.0f %,10.0f %14.2f%n",
                name,
                median(name),
                values.stream().mapToDouble(v -> v).min().orElseThrow(),
                values.stream().mapToDouble(v -> v).max().orElseThrow(),
                median(name) / bare));
    System.out.printf("%nwith the horizon held, against without:%n");
    for (Horizon horizon : List.of(Horizon.SNAPSHOT, Horizon.WRITER)) {
      for (String rows : List.of("rows kept", "rows deleted")) {
        System.out.printf(
            "%-38s %10.2f%n", rows + horizon.suffix, median(rows + horizon.suffix) / median(rows));
      }
    }
  }

  private double median(String name) {
    double[] values = rates.getOrDefault(name, List.of()).stream().mapToDouble(v -> v).toArray();
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /** What another session does meanwhile. */
  private enum Horizon {
    FREE("", ""),
    SNAPSHOT(", snapshot held", "SELECT count(*) FROM pg_class"),
    WRITER(", writer open", "SELECT pg_current_xact_id()");

    private final String suffix;
    private final String statement;

    Horizon(String suffix, String statement) {
      this.suffix = suffix;
      this.statement = statement;
    }

    private AutoCloseable hold(Servers servers) throws SQLException {
      if (this == FREE) {
        return () -> {};
      }
      Connection session =
          DriverManager.getConnection(
              servers.postgres().jdbcUrl(), servers.postgres().username(), "");
      session.setAutoCommit(false);
      session.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      session.createStatement().execute(statement);
      return session;
    }
  }
}
