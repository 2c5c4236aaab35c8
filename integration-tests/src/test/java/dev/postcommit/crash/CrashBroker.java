package dev.postcommit.crash;

import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.process.Processes;
import java.time.Duration;

/** A broker that crashes are tried with, and the topic of the scene. */
interface CrashBroker extends AutoCloseable {

  /** The lease of relays: longer than a delivery here may take. */
  Duration lease();

  /** Has a relay deliver here. */
  void connect(Processes.Builder relay);

  /** What will tell the ledger of the messages in the topic. */
  Deliveries deliveries(Ledger ledger);

  /** Makes the broker end as a crash does, and come back. */
  void crash();

  @Override
  void close();
}
