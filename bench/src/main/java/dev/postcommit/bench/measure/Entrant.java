package dev.postcommit.bench.measure;

import java.util.List;
import java.util.Locale;

/**
 * A contender that can take part.
 *
 * @param id its name on the command line and in the results
 * @param name its name for people
 * @param kind its kind
 * @param module the directory of its module under {@code bench/peers}; empty for our own
 * @param main the main class of its JVM
 * @param variant which of the contenders of its library it is
 */
public record Entrant(
    String id, String name, Kind kind, String module, String main, String variant) {

  /** The contender the others are compared with. */
  private static final String REFERENCE = "postcommit-native";

  private static final String LOG = "postcommit-log";

  public static final String MODKIT = "postcommit-modkit";
  public static final String KAFKA_PRODUCER = "kafka-producer";
  static final String SQL_DRAIN = "sql-drain";
  public static final String PLAIN_INSERT = "plain-insert";

  private static final String OWN = "dev.postcommit.bench.own.Main";

  /** The kinds of contenders. */
  public enum Kind {
    POSTCOMMIT,
    PEER,
    LIMIT;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns all contenders. */
  public static final List<Entrant> ALL =
      List.of(
          own("native", "Postcommit, native"),
          own("log", "Postcommit, log"),
          own("native-deleting", "Postcommit, native, rows deleted"),
          own("modkit", "Postcommit, modkit"),
          own("logistik", "Postcommit, Logistik"),
          own("packfinderz", "Postcommit, PackFinderz"),
          own("polyshop", "Postcommit, PolyShop"),
          peer("gruelbox", "gruelbox transaction-outbox", "gruelbox", ""),
          peer("namastack", "Namastack outbox", "namastack", ""),
          peer("modulith", "Spring Modulith", "modulith", ""),
          peer("db-scheduler", "db-scheduler", "dbscheduler", ""),
          peer("debezium", "Debezium embedded", "debezium", ""),
          limit(KAFKA_PRODUCER, "bare Kafka producer"),
          limit(SQL_DRAIN, "SQL-only drain"),
          limit(PLAIN_INSERT, "transactions without events"));

  private static Entrant own(String variant, String name) {
    return new Entrant("postcommit-" + variant, name, Kind.POSTCOMMIT, "", OWN, variant);
  }

  private static Entrant peer(String id, String name, String pack, String variant) {
    String module = variant.isEmpty() ? id : id.substring(0, id.length() - variant.length() - 1);
    return new Entrant(
        id, name, Kind.PEER, module, "dev.postcommit.bench." + pack + ".Main", variant);
  }

  private static Entrant limit(String id, String name) {
    return new Entrant(id, name, Kind.LIMIT, "", OWN, id);
  }

  /** Returns whether it is Postcommit with the native or the log layout. */
  public boolean isMain() {
    return id.equals(REFERENCE) || id.equals(LOG);
  }

  /** Returns whether it is Postcommit with an adopted layout, or a variant of its own layouts. */
  public boolean isMinor() {
    return kind == Kind.POSTCOMMIT && !isMain();
  }

  /** Returns whether it takes part where not all our layouts need to be shown. */
  public boolean isMainOrPeer() {
    return kind != Kind.LIMIT && !isMinor();
  }
}
