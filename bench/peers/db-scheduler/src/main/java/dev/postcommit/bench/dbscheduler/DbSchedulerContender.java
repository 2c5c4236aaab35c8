package dev.postcommit.bench.dbscheduler;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.FailureHandler.ExponentialBackoffFailureHandler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import dev.postcommit.bench.contender.BenchEvent;
import dev.postcommit.bench.contender.Contender;
import dev.postcommit.bench.contender.Description;
import dev.postcommit.bench.contender.Environment;
import dev.postcommit.bench.contender.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** db-scheduler with Spring's transactions and tasks that send to Kafka. */
final class DbSchedulerContender implements Contender {
  private static final int THREADS = 100;
  private static final double LOWER_LIMIT = 2.0;
  private static final double UPPER_LIMIT = 6.0;
  private static final Duration POLLING_INTERVAL = Duration.ofMillis(100);

  private static final String DDL =
      """
      CREATE TABLE IF NOT EXISTS scheduled_tasks (
        task_name text NOT NULL,
        task_instance text NOT NULL,
        task_data bytea,
        execution_time timestamptz NOT NULL,
        picked boolean NOT NULL,
        picked_by text,
        last_success timestamptz,
        last_failure timestamptz,
        consecutive_failures int,
        last_heartbeat timestamptz,
        version bigint NOT NULL,
        priority smallint,
        PRIMARY KEY (task_name, task_instance));
      CREATE INDEX IF NOT EXISTS execution_time_idx ON scheduled_tasks (execution_time);
      CREATE INDEX IF NOT EXISTS last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
      """;

  private final Environment environment;
  private final JdbcTransactionManager transactions;
  private final KafkaSender sender;
  private final OneTimeTask<Message> task;
  private final SchedulerClient client;
  private volatile @Nullable Scheduler scheduler;

  DbSchedulerContender(Environment environment) {
    this.environment = environment;
    transactions = new JdbcTransactionManager(environment.dataSource());
    sender = new KafkaSender(environment);
    task =
        Tasks.oneTime("send", Message.class)
            .onFailure(new ExponentialBackoffFailureHandler<>(Duration.ofSeconds(1)))
            .execute((instance, context) -> sender.send(instance.getData()));
    client =
        SchedulerClient.Builder.create(
                new TransactionAwareDataSourceProxy(environment.dataSource()), task)
            .build();
  }

  @Override
  public Description description() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("order", "none: tasks run in parallel, in any order");
    settings.put(
        "scheduling",
        "one-time tasks by scheduleBatch, in Spring's transaction by TransactionAwareDataSourceProxy");
    settings.put("after commit", "triggerCheckForDueExecutions");
    settings.put("threads", THREADS + " (10): each waits for Kafka");
    settings.put(
        "polling strategy",
        "lock-and-fetch(%s, %s), as in one of its own benchmarks"
            .formatted(LOWER_LIMIT, UPPER_LIMIT));
    settings.put("polling interval", POLLING_INTERVAL.toMillis() + " ms (10 s)");
    settings.put("on failure", "exponential back-off from 1 s, without end (5 min each time)");
    settings.put("priority", "off, and so without its index");
    settings.put(
        "producer",
        "acks=all, linger.ms=" + KafkaSender.LINGER_MILLIS + " (5), as with Postcommit");
    return new Description("16.12.0", settings);
  }

  @Override
  public void create() throws Exception {
    Tables.execute(environment.dataSource(), DDL);
  }

  @Override
  public List<String> tables() {
    return List.of("scheduled_tasks");
  }

  @Override
  public void inTransaction(Body body) throws Exception {
    TransactionStatus transaction = transactions.getTransaction(new DefaultTransactionDefinition());
    try {
      body.run(DataSourceUtils.getConnection(environment.dataSource()), this::schedule);
    } catch (Throwable e) {
      transactions.rollback(transaction);
      throw e;
    }
    transactions.commit(transaction);
    Scheduler started = scheduler;
    if (started != null) {
      started.triggerCheckForDueExecutions();
    }
  }

  private void schedule(List<BenchEvent> events) {
    List<TaskInstance<?>> instances = new ArrayList<>(events.size());
    for (BenchEvent event : events) {
      instances.add(
          task.instance(UUID.randomUUID().toString(), new Message(event.key(), event.body())));
    }
    client.scheduleBatch(instances, Instant.now());
  }

  @Override
  public void start() {
    Scheduler started =
        Scheduler.create(environment.dataSource(), task)
            .threads(THREADS)
            .pollUsingLockAndFetch(LOWER_LIMIT, UPPER_LIMIT)
            .pollingInterval(POLLING_INTERVAL)
            .build();
    started.start();
    scheduler = started;
  }

  @Override
  public void stop() {
    Scheduler started = scheduler;
    scheduler = null;
    if (started != null) {
      started.stop();
    }
  }

  /** None: a task is tried again for ever. */
  @Override
  public long dead() {
    return 0;
  }

  @Override
  public Environment environment() {
    return environment;
  }

  @Override
  public void close() {
    sender.close();
  }
}
