package dev.postcommit.server.relay;

import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.server.table.DatabaseFailures;
import dev.postcommit.server.table.Databases;
import dev.postcommit.settings.ConfiguredRelay;
import dev.postcommit.settings.SettingException;
import dev.postcommit.store.OutboxAdmin;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One relay of the process with everything that belongs to it. */
public final class RunningRelay implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RunningRelay.class);

  private final RelayPlan plan;
  private final RelayPool pool;
  private final Publisher publisher;
  private final OutboxAdmin admin;
  private final OutboxAdmin operators;
  private final Relay relay;
  private final ReadinessProbes probes;

  /**
   * Makes all parts; nothing runs yet, and nobody is asked.
   *
   * @throws SettingException if a setting is not acceptable
   */
  RunningRelay(RelayPlan plan, List<RelayListener> listeners) {
    this.plan = plan;
    pool = RelayPool.open(plan.table(), plan.settings());
    publisher = plan.broker().publisher(plan.messages().route().topics());
    try {
      admin = OutboxAdmin.of(pool, plan.table().layout());
      operators = OutboxAdmin.of(Databases.bounded(plan.table()), plan.table().layout());
      relay = relay(listeners);
      probes = new ReadinessProbes(plan, relay::retryNow);
    } catch (RuntimeException e) {
      publisher.close();
      pool.close();
      throw e;
    }
  }

  private Relay relay(List<RelayListener> listeners) {
    Relay.Builder builder = Relay.builder(pool, publisher).layout(plan.table().layout());
    listeners.forEach(builder::listener);
    return ConfiguredRelay.build(
        plan.settings(),
        plan.table().layout(),
        publisher,
        plan.messages().apply(builder),
        plan.broker().shorterDelivery());
  }

  /** Starts delivering, unless the table does not fit. */
  void start() {
    log.info("{}", plan.summary());
    probes.start();
    TableCheck.check(pool, plan.table(), plan.settings());
    relay.start();
  }

  /** Its name within the process. */
  public String name() {
    return plan.name();
  }

  /** The layout of its table. */
  public Layout layout() {
    return plan.table().layout();
  }

  /** The operators' API for its table. */
  public OutboxAdmin admin() {
    return admin;
  }

  /**
   * The same on connections of its own, so that what operators ask for takes none from the relay.
   */
  public OutboxAdmin operators() {
    return operators;
  }

  /** Explains a failure to an operator, if the database caused it. */
  public Optional<String> explain(Throwable failure) {
    return DatabaseFailures.explain(failure, plan.table());
  }

  /** Names its table and where that is, without secrets. */
  public String place() {
    return plan.table().toString();
  }

  /** Polls now rather than at the end of the poll interval. */
  public void wakeUp() {
    relay.wakeUp();
  }

  RelayPlan plan() {
    return plan;
  }

  /** The relay's state. */
  public Relay.State state() {
    return relay.state();
  }

  /** The readiness probes of its database and broker. */
  public ReadinessProbes probes() {
    return probes;
  }

  /** Names its table and its broker, without secrets. */
  @Override
  public String toString() {
    return plan.table() + " to " + plan.broker().name();
  }

  /** Drains or releases the events in flight, and closes everything. */
  @Override
  public void close() {
    probes.close();
    relay.close();
    publisher.close();
    pool.close();
  }
}
