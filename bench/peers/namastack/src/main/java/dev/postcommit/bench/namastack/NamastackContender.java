package dev.postcommit.bench.namastack;

import dev.postcommit.bench.contender.BenchEvent;
import dev.postcommit.bench.contender.Contender;
import dev.postcommit.bench.contender.Description;
import dev.postcommit.bench.contender.Environment;
import dev.postcommit.bench.contender.Keys;
import dev.postcommit.bench.contender.Tables;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxProcessingScheduler;
import io.namastack.outbox.OutboxRecordStatus;
import io.namastack.outbox.OutboxRecordStatusRepository;
import io.namastack.outbox.partition.PartitionCoordinator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Namastack outbox in a Spring Boot service. The service runs all the time, so that it can write;
 * its processing of records is started and stopped.
 */
final class NamastackContender implements Contender {
  private static final String RECORDS = "outbox_record";
  private static final int KEYS = 1_000;
  private static final int BYTES = 300;
  private static final Duration ASSIGNED_WITHIN = Duration.ofMinutes(1);

  private final Environment environment;
  private final Settings settings = new Settings();
  private final ConfigurableApplicationContext service;
  private final TransactionTemplate transactions;
  private final Outbox outbox;
  private final OutboxProcessingScheduler processing;
  private final Sender sender;

  NamastackContender(Environment environment) {
    this.environment = environment;
    this.service =
        new SpringApplicationBuilder(Service.class)
            .web(WebApplicationType.NONE)
            .initializers(
                context ->
                    context
                        .getBeanFactory()
                        .registerSingleton("dataSource", environment.dataSource()))
            .properties(settings.properties())
            .properties(
                Map.of(
                    "spring.main.banner-mode", "off",
                    "spring.kafka.bootstrap-servers", environment.bootstrapServers(),
                    "bench.topic", environment.topic()))
            .run();
    this.transactions = service.getBean(TransactionTemplate.class);
    this.outbox = service.getBean(Outbox.class);
    this.processing = service.getBean(OutboxProcessingScheduler.class);
    this.sender = service.getBean(Sender.class);
    stop();
  }

  @Override
  public Description description() {
    return new Description(version(), settings.described());
  }

  /** What follows the name of the library's jar, whose manifest does not tell. */
  private static String version() {
    String jar = Outbox.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return jar.substring(jar.lastIndexOf('-') + 1, jar.lastIndexOf('.'));
  }

  /** Does nothing: the library created them when the service started. */
  @Override
  public void create() {}

  @Override
  public List<String> tables() {
    return List.of(RECORDS, "outbox_instance", "outbox_partition");
  }

  /** Empties the table of records; the others tell which of them this service is to process. */
  @Override
  public void reset() throws Exception {
    Tables.truncate(environment.dataSource(), List.of(RECORDS));
  }

  @Override
  public void inTransaction(Body body) throws Exception {
    try {
      transactions.executeWithoutResult(status -> run(body));
    } catch (Failure e) {
      throw e.cause;
    }
  }

  private void run(Body body) {
    try {
      body.run(DataSourceUtils.getConnection(environment.dataSource()), this::enqueue);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new Failure(e);
    }
  }

  private void enqueue(List<BenchEvent> events) {
    for (BenchEvent event : events) {
      outbox.schedule(Message.of(event), event.key());
    }
  }

  @Override
  public void start() throws InterruptedException {
    PartitionCoordinator partitions = service.getBean(PartitionCoordinator.class);
    long end = System.nanoTime() + ASSIGNED_WITHIN.toNanos();
    while (partitions.getAssignedPartitionNumbers().isEmpty()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("no partition was assigned within " + ASSIGNED_WITHIN);
      }
      Thread.sleep(50);
    }
    sender.setStopped(false);
    processing.start();
  }

  @Override
  public void stop() {
    sender.setStopped(true);
    processing.stop();
  }

  @Override
  public long dead() {
    return service
        .getBean(OutboxRecordStatusRepository.class)
        .countByStatus(OutboxRecordStatus.FAILED);
  }

  /** Writes a record of each key, completes them by SQL, and copies them. */
  @Override
  public boolean addHistory(int rows) throws Exception {
    List<BenchEvent> events = new ArrayList<>();
    for (int n = 0; n < KEYS; n++) {
      events.add(BenchEvent.of(0, n, Keys.SPREAD, BYTES));
    }
    fill(events);
    Tables.execute(
        environment.dataSource(),
        """
        UPDATE outbox_record SET status = 'COMPLETED',
          created_at = created_at - interval '1 hour',
          completed_at = created_at - interval '1 hour',
          next_retry_at = next_retry_at - interval '1 hour'
        """);
    Tables.execute(
        environment.dataSource(),
        """
        INSERT INTO outbox_record
        SELECT gen_random_uuid()::text, status, record_key, record_type, payload, context,
          created_at - copy * interval '1 second', completed_at - copy * interval '1 second',
          failure_count, failure_reason, next_retry_at - copy * interval '1 second',
          partition_no, handler_id
        FROM outbox_record, generate_series(1, %d) AS copy
        """
            .formatted(rows / KEYS - 1));
    Tables.execute(environment.dataSource(), "VACUUM ANALYZE outbox_record");
    return true;
  }

  @Override
  public Environment environment() {
    return environment;
  }

  @Override
  public void close() {
    service.close();
  }

  /** Carries a checked exception out of a transaction. */
  private static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Exception cause;

    Failure(Exception cause) {
      super(cause);
      this.cause = cause;
    }
  }
}
