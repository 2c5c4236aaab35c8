package dev.postcommit.bench.gruelbox;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.ThreadLocalContextTransactionManager;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import dev.postcommit.bench.contender.BenchEvent;
import dev.postcommit.bench.contender.Contender;
import dev.postcommit.bench.contender.Description;
import dev.postcommit.bench.contender.Environment;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** gruelbox transaction-outbox with its own transaction manager and calls that send to Kafka. */
final class GruelboxContender implements Contender {
  private static final Duration ATTEMPT_FREQUENCY = Duration.ofSeconds(30);
  private static final int BLOCK_AFTER_ATTEMPTS = 20;

  private final Environment environment;
  private final ThreadLocalContextTransactionManager transactions;
  private final KafkaPublisher publisher;
  private final Relay relay = new Relay();
  private final TransactionOutbox outbox;
  private final TransactionOutbox backlog;

  GruelboxContender(Environment environment) {
    this.environment = environment;
    transactions = TransactionManager.fromDataSource(environment.dataSource());
    publisher = new KafkaPublisher(environment);
    outbox = outbox(Clock.systemUTC(), relay);
    // Its calls are as old as those of a backlog, so the first flush may take them.
    backlog =
        outbox(
            Clock.offset(Clock.systemUTC(), ATTEMPT_FREQUENCY.multipliedBy(-2)),
            (entry, call) -> {});
  }

  private TransactionOutbox outbox(Clock clock, Submitter submitter) {
    return TransactionOutbox.builder()
        .transactionManager(transactions)
        .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
        .instantiator(Instantiator.using(type -> publisher))
        .submitter(submitter)
        .attemptFrequency(ATTEMPT_FREQUENCY)
        .blockAfterAttempts(BLOCK_AFTER_ATTEMPTS)
        .flushBatchSize(Relay.FLUSHED_AT_ONCE)
        .clockProvider(() -> clock)
        .initializeImmediately(false)
        .build();
  }

  @Override
  public Description description() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("release", "the newest that could be had; later ones can order calls by topic");
    settings.put("order", "none: calls are made in parallel, and this version knows no topics");
    settings.put("dialect", "POSTGRESQL_9");
    settings.put(
        "executor",
        "%,d threads (1), a queue of %,d: each call waits for Kafka"
            .formatted(Relay.THREADS, Relay.QUEUE));
    settings.put("attemptFrequency", ATTEMPT_FREQUENCY.toSeconds() + " s (2 min)");
    settings.put(
        "blockAfterAttempts", BLOCK_AFTER_ATTEMPTS + " (5): after 10 minutes, as by default");
    settings.put(
        "flush",
        "in a loop, with a pause of %d ms if none is left or a batch waits for the executor"
            .formatted(Relay.PAUSE_MILLIS));
    settings.put(
        "flushBatchSize",
        "%,d (4,096): fewer calls are marked as taken long before they are made"
            .formatted(Relay.FLUSHED_AT_ONCE));
    settings.put("backlog", "written with the clock set back, so that it is due at once");
    settings.put(
        "producer",
        "acks=all, linger.ms=" + KafkaPublisher.LINGER_MILLIS + " (5), as with Postcommit");
    return new Description("4.2.268", settings);
  }

  @Override
  public void create() {
    outbox.initialize();
    backlog.initialize();
  }

  @Override
  public List<String> tables() {
    return List.of("txno_outbox");
  }

  @Override
  public void inTransaction(Body body) throws Exception {
    inTransaction(outbox, body);
  }

  @Override
  public void fill(List<BenchEvent> events) throws Exception {
    inTransaction(backlog, (connection, enqueue) -> enqueue.enqueue(events));
  }

  private void inTransaction(TransactionOutbox to, Body body) throws Exception {
    transactions.inTransactionThrows(
        transaction ->
            body.run(
                transaction.connection(),
                events -> {
                  Publisher calls = to.schedule(Publisher.class);
                  for (BenchEvent event : events) {
                    calls.publish(event.key(), event.body());
                  }
                }));
  }

  @Override
  public void start() {
    relay.start(outbox);
  }

  @Override
  public void stop() throws InterruptedException {
    relay.stop();
  }

  @Override
  public long dead() throws Exception {
    try (Connection connection = environment.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet blocked =
            statement.executeQuery("SELECT count(*) FROM txno_outbox WHERE blocked")) {
      blocked.next();
      return blocked.getLong(1);
    }
  }

  @Override
  public Environment environment() {
    return environment;
  }

  @Override
  public void close() {
    publisher.close();
  }
}
