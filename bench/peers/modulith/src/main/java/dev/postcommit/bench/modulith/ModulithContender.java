package dev.postcommit.bench.modulith;

import dev.postcommit.bench.contender.BenchEvent;
import dev.postcommit.bench.contender.Contender;
import dev.postcommit.bench.contender.Description;
import dev.postcommit.bench.contender.Environment;
import dev.postcommit.bench.contender.Keys;
import dev.postcommit.bench.contender.Tables;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.modulith.events.EventPublication;
import org.springframework.modulith.events.FailedEventPublications;
import org.springframework.modulith.events.core.EventPublicationRepository;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.modulith.events.core.TargetEventPublication;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Spring Modulith in a Spring Boot service, which sends each event after its commit. What makes a
 * relay of it is the resubmission of publications that failed; to stop it, the service is replaced
 * by another that sends what it publishes itself and nothing else.
 */
final class ModulithContender implements Contender {
  private static final String PUBLICATIONS = "event_publication";
  private static final int BYTES = 300;

  private final Environment environment;
  private final Settings settings = new Settings();
  private RunningService service;
  private TransactionTemplate transactions;
  private @Nullable Resubmission resubmission;

  ModulithContender(Environment environment) {
    this.environment = environment;
    this.service = new RunningService(environment, settings);
    this.transactions = service.bean(TransactionTemplate.class);
  }

  @Override
  public Description description() {
    String version = EventPublication.class.getPackage().getImplementationVersion();
    return new Description(version == null ? "" : version, settings.described());
  }

  /** Does nothing: the library created them when the service started. */
  @Override
  public void create() {}

  @Override
  public List<String> tables() {
    return List.of(PUBLICATIONS);
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
      body.run(DataSourceUtils.getConnection(environment.dataSource()), this::publish);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new Failure(e);
    }
  }

  private void publish(List<BenchEvent> events) {
    for (BenchEvent event : events) {
      service.publish(Placed.of(event));
    }
  }

  /** Writes publications as they are left by sends that failed. */
  @Override
  public void fill(List<BenchEvent> events) {
    EventPublicationRepository publications = service.bean(EventPublicationRepository.class);
    PublicationTargetIdentifier kafka = service.target();
    transactions.executeWithoutResult(
        status -> {
          for (BenchEvent event : events) {
            TargetEventPublication publication =
                publications.create(TargetEventPublication.of(Placed.of(event), kafka));
            publications.markFailed(publication.getIdentifier());
          }
        });
  }

  @Override
  public void start() {
    resubmission = new Resubmission(service.bean(FailedEventPublications.class), transactions);
    resubmission.start();
  }

  @Override
  public void stop() throws InterruptedException {
    if (resubmission != null) {
      resubmission.stop();
      resubmission = null;
    }
    service.close();
    service = new RunningService(environment, settings);
    transactions = service.bean(TransactionTemplate.class);
  }

  /** None: what has failed is resubmitted until it is sent. */
  @Override
  public long dead() {
    return 0;
  }

  /** Writes a publication, completes it by SQL, and copies it. */
  @Override
  public boolean addHistory(int rows) throws Exception {
    fill(List.of(BenchEvent.of(0, 0, Keys.SPREAD, BYTES)));
    Tables.execute(
        environment.dataSource(),
        """
        UPDATE event_publication SET status = 'COMPLETED',
          publication_date = publication_date - interval '1 hour',
          completion_date = publication_date - interval '1 hour'
        """);
    Tables.execute(
        environment.dataSource(),
        """
        INSERT INTO event_publication (id, listener_id, event_type, serialized_event,
          publication_date, completion_date, status, completion_attempts, last_resubmission_date)
        SELECT gen_random_uuid(), listener_id, event_type,
          replace(serialized_event, '"run0-0"', '"run0-' || copy || '"'),
          publication_date - copy * interval '1 ms', completion_date - copy * interval '1 ms',
          status, completion_attempts, last_resubmission_date
        FROM event_publication, generate_series(1, %d) AS copy
        """
            .formatted(rows - 1));
    Tables.execute(environment.dataSource(), "VACUUM ANALYZE event_publication");
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
