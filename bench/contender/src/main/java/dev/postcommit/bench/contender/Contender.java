package dev.postcommit.bench.contender;

import java.sql.Connection;
import java.util.List;

/**
 * One way to get events from a transaction to Kafka, in the JVM of a service that writes and
 * relays.
 *
 * <p>It is created with its relay stopped. {@link #inTransaction} is called by many threads at
 * once, all else by one.
 */
public interface Contender extends AutoCloseable {

  /** What it is and how it is set. */
  Description description();

  /** Creates its tables. */
  void create() throws Exception;

  /** The tables it writes to, whose row writes count. */
  List<String> tables();

  /**
   * Forgets every event, delivered or not. Called while the relay is stopped. By default the tables
   * are emptied.
   */
  default void reset() throws Exception {
    Tables.truncate(environment().dataSource(), tables());
  }

  /**
   * Runs {@code body} in a transaction, as a service does with this contender, and commits it; if
   * the body throws, rolls it back and throws the same.
   */
  void inTransaction(Body body) throws Exception;

  /**
   * Writes events that wait for the relay, which is stopped, in one transaction; by default as
   * {@link #inTransaction} does.
   */
  default void fill(List<BenchEvent> events) throws Exception {
    inTransaction((connection, enqueue) -> enqueue.enqueue(events));
  }

  /** Starts the relay; returns when it is at work. */
  void start() throws Exception;

  /** Stops the relay; returns when it sends no more and holds no rows. */
  void stop() throws Exception;

  /** How many events it has given up on and will not send unless an operator says so. */
  long dead() throws Exception;

  /**
   * How many events it has recorded as delivered since its relay was started, for a limit that
   * sends to no broker.
   */
  default long settled() {
    throw new UnsupportedOperationException("what this contender delivers is seen by consumers");
  }

  /**
   * Makes its table hold {@code rows} delivered events as it would have kept them, by SQL; called
   * after {@link #reset}.
   *
   * @return false if it keeps no delivered rows that its relay could come across
   */
  default boolean addHistory(int rows) throws Exception {
    return false;
  }

  /** What keeps the events of a key from being delivered. */
  enum Hold {
    /** Its first event failed, and waits for a retry for as long as anything is measured. */
    STUCK,
    /** The broker takes long to answer for each of its events. */
    BUSY
  }

  /**
   * Makes its table hold {@code rows} events of one key that are not delivered, by SQL; called
   * after {@link #reset}.
   *
   * @return false if it cannot
   */
  default boolean addHotKey(Hold hold, int rows) throws Exception {
    return false;
  }

  /** Where it runs. */
  Environment environment();

  @Override
  default void close() {}

  /** What is done in a transaction. */
  @FunctionalInterface
  interface Body {

    /**
     * Does it.
     *
     * @param connection the connection of the transaction
     */
    void run(Connection connection, Enqueue enqueue) throws Exception;
  }

  /** Writes events in the transaction that runs. */
  @FunctionalInterface
  interface Enqueue {

    /** Writes them in this order. */
    void enqueue(List<BenchEvent> events) throws Exception;
  }
}
