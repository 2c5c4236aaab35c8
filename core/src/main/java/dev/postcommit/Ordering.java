package dev.postcommit;

/** Which events wait for which. */
public enum Ordering {
  /**
   * Events of one key are delivered in the order they were written, whatever number of relays run;
   * a failing event holds back only the later events of its own key. Events without a key have no
   * order.
   */
  PER_KEY,

  /** Every event stands alone. */
  NONE
}
