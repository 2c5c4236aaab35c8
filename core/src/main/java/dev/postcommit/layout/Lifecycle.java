package dev.postcommit.layout;

/** How a table records that a row is taken, delivered or given up. */
public sealed interface Lifecycle {

  /** What becomes of a row once it is delivered. */
  enum OnDelivery {
    /** It is marked, and pruned after the retention time. */
    KEEP,
    /** It is deleted in the transaction that would have marked it. */
    DELETE
  }

  /** What becomes of a row once it is delivered. */
  OnDelivery onDelivery();

  /** This lifecycle with another fate for delivered rows. */
  Lifecycle with(OnDelivery fate);

  /**
   * A batch is taken by one record in a table of claims; the rows themselves are written only when
   * they are settled. States on the row: pending, delivered, dead.
   *
   * @param claims the table of claims
   */
  record Claimed(TableName claims, OnDelivery onDelivery) implements Lifecycle {
    @Override
    public Lifecycle with(OnDelivery fate) {
      return new Claimed(claims, fate);
    }
  }

  /**
   * Every row carries its own lease. States on the row: pending, processing, delivered, dead. The
   * attempt is counted when the row is taken.
   */
  record Leased(OnDelivery onDelivery) implements Lifecycle {
    @Override
    public Lifecycle with(OnDelivery fate) {
      return new Leased(fate);
    }
  }
}
