package dev.postcommit.testkit;

import java.util.concurrent.Callable;

/**
 * Reads what a broker has and tells a {@link Ledger} of it, until all is read. To be run by a
 * thread of its own.
 */
public interface Deliveries extends Callable<Void> {

  /** How many messages arrived, duplicates included. */
  int messages();

  /** Says that nobody sends any more: what is there now is all. */
  void finish();

  /** Reads until {@link #finish} is called and all is read. */
  @Override
  Void call();
}
