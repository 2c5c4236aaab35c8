package dev.postcommit.spring.relay;

import dev.postcommit.relay.RelayListener;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the relay's database, broker and standbys can be used, as it found last. */
final class RelayStatus implements RelayListener {
  private volatile @Nullable String broker;
  private volatile @Nullable String database;
  private volatile @Nullable String standbys;

  /** Why the broker cannot be used, if it cannot. */
  Optional<String> brokerProblem() {
    return Optional.ofNullable(broker);
  }

  /** Why the database cannot be used, if it cannot. */
  Optional<String> databaseProblem() {
    return Optional.ofNullable(database);
  }

  /** Why events wait for standbys, if they do. */
  Optional<String> standbysProblem() {
    return Optional.ofNullable(standbys);
  }

  @Override
  public void standbysUnavailable(String reason) {
    standbys = reason;
  }

  @Override
  public void standbysRecovered(Duration outage) {
    standbys = null;
  }

  @Override
  public void brokerUnavailable(String reason) {
    broker = reason;
  }

  @Override
  public void brokerRecovered(Duration outage) {
    broker = null;
  }

  @Override
  public void databaseUnavailable(String reason) {
    database = reason;
  }

  @Override
  public void databaseRecovered(Duration outage) {
    database = null;
  }
}
