package dev.postcommit.bench;

import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.layout.Layout;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
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

  @Option(
      names = "--layouts",
      split = ",",
      description = "tables to drain: ${COMPLETION-CANDIDATES}")
  private List<BenchLayout> layouts = List.of(BenchLayout.NATIVE);

  @Option(
      names = "--horizons",
      split = ",",
      description = "what another session does meanwhile: ${COMPLETION-CANDIDATES}")
  private List<Horizon> horizons = List.of(Horizon.values());

  @Override
  @SuppressWarnings("try") // held is a session that does nothing but stay open
  public Integer call() throws Exception {
    Rates rates = new Rates(events);
    try (Servers servers = Servers.start();
        KafkaPublisher publisher = servers.publisher()) {
      for (int round = 0; round <= rounds; round++) {
        System.out.printf("round %d%s%n", round, round == 0 ? " (does not count)" : "");
        rates.note(round, "bare producer", BareProducer.run(servers, events, bytes, keys));
        for (BenchLayout kind : layouts) {
          for (Horizon horizon : horizons) {
            for (boolean kept : List.of(true, false)) {
              Backlog.fill(servers.dataSource(), kind, events, bytes, keys);
              Layout layout = kept ? kind.layout() : kind.layout().deletingOnDelivery();
              try (AutoCloseable held = horizon.hold(servers)) {
                rates.note(
                    round,
                    name(kind, kept, horizon),
                    Drain.run(servers.dataSource(), layout, publisher, events));
              }
            }
          }
        }
      }
    }
    print(rates);
    return 0;
  }

  private static String name(BenchLayout kind, boolean kept, Horizon horizon) {
    return kind.layout().name() + (kept ? ", rows kept" : ", rows deleted") + horizon.suffix;
  }

  private void print(Rates rates) {
    System.out.printf("%n%,d events of %d bytes, medians of %d rounds%n", events, bytes, rounds);
    rates.print("", "bare producer");
    if (horizons.size() > 1) {
      System.out.printf("%nwith the horizon held, against without:%n");
    }
    for (BenchLayout kind : layouts) {
      for (Horizon horizon : horizons) {
        for (boolean kept : List.of(true, false)) {
          String free = name(kind, kept, Horizon.FREE);
          String held = name(kind, kept, horizon);
          if (horizon != Horizon.FREE && rates.has(free)) {
            System.out.printf("%-38s %10.2f%n", held, rates.median(held) / rates.median(free));
          }
        }
      }
    }
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
