package dev.postcommit.layout;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** How a table records that a row is taken, delivered or given up. */
public sealed interface Lifecycle {

  /** What becomes of a row once it is delivered. */
  enum OnDelivery {
    /** It is marked, and pruned after the retention time. */
    KEEP,
    /** It is deleted in the transaction that would have marked it. */
    DELETE
  }

  /**
   * The words a status column has for a row's states.
   *
   * @param undelivered rows that are neither delivered nor dead, beginning with the word for a new
   *     row
   * @param delivered delivered rows
   * @param dead rows the relay gave up on
   */
  record StatusWords(List<String> undelivered, String delivered, String dead) {

    /** The word for a row that no relay has taken. */
    public String pending() {
      return undelivered.get(0);
    }

    /** All of them. */
    public List<String> all() {
      return Stream.concat(undelivered.stream(), Stream.of(delivered, dead)).toList();
    }
  }

  /** Which kind this is. */
  LifecycleKind kind();

  /** What becomes of a row once it is delivered. */
  OnDelivery onDelivery();

  /** This lifecycle with another fate for delivered rows. */
  Lifecycle with(OnDelivery fate);

  /** The words of the status column, if there is one. */
  default Optional<StatusWords> statusWords() {
    return Optional.empty();
  }

  /** This lifecycle, if its rows have a flag that says whether they are done with. */
  default Optional<ProcessedFlag> processedFlag() {
    return Optional.empty();
  }

  /**
   * A batch is taken by one record in a table of claims; the rows themselves are written only when
   * they are settled. States on the row: pending, delivered, dead.
   *
   * @param claims the table of claims
   */
  record Claimed(TableName claims, OnDelivery onDelivery) implements Lifecycle {
    @Override
    public LifecycleKind kind() {
      return LifecycleKind.CLAIMED;
    }

    @Override
    public Lifecycle with(OnDelivery fate) {
      return new Claimed(claims, fate);
    }

    @Override
    public Optional<StatusWords> statusWords() {
      return Optional.of(new StatusWords(List.of("pending"), "delivered", "dead"));
    }
  }

  /**
   * Rows are appended and never touched again; a cursor says how far they are delivered, and one
   * relay at a time moves it. What the broker refuses, and what waits for that, is diverted to a
   * native table: see {@link Layout#diverted}. Old rows go with the partition they are in.
   *
   * @param cursor the table of one row that is the cursor
   */
  record Log(TableName cursor) implements Lifecycle {
    @Override
    public LifecycleKind kind() {
      return LifecycleKind.LOG;
    }

    @Override
    public OnDelivery onDelivery() {
      return OnDelivery.KEEP;
    }

    @Override
    public Lifecycle with(OnDelivery fate) {
      if (fate == OnDelivery.DELETE) {
        throw new IllegalArgumentException(
            "rows of a log are not deleted on delivery, but with their partition after the"
                + " retention time");
      }
      return this;
    }
  }

  /**
   * Every row carries its own lease. States on the row: pending, processing, delivered, dead. The
   * attempt is counted when the row is taken.
   */
  record Leased(OnDelivery onDelivery) implements Lifecycle {

    /** Row leases, with delivered rows kept. */
    public Leased() {
      this(OnDelivery.KEEP);
    }

    @Override
    public LifecycleKind kind() {
      return LifecycleKind.LEASED;
    }

    @Override
    public Lifecycle with(OnDelivery fate) {
      return new Leased(fate);
    }

    @Override
    public Optional<StatusWords> statusWords() {
      return Optional.of(new StatusWords(List.of("pending", "processing"), "delivered", "dead"));
    }
  }

  /**
   * Rows are {@linkplain LifecycleKind#isHeld held}, and carry a word for their state.
   *
   * @param pending the word for a row still to be delivered
   * @param delivered the word for a delivered row
   * @param dead the word for a row the relay gave up on
   */
  record Status(String pending, String delivered, String dead, OnDelivery onDelivery)
      implements Lifecycle {

    private static final Pattern WORD = Pattern.compile("[\\w .:-]+");

    /** Rejects invalid and duplicate words. */
    public Status {
      for (String word : List.of(pending, delivered, dead)) {
        if (!WORD.matcher(word).matches()) {
          throw new IllegalArgumentException("'" + word + "' is not a status word");
        }
      }
      if (pending.equals(delivered) || pending.equals(dead) || delivered.equals(dead)) {
        throw new IllegalArgumentException(
            "the status words must differ: pending '%s', delivered '%s', dead '%s'"
                .formatted(pending, delivered, dead));
      }
    }

    /** A status in these words, with delivered rows kept. */
    public Status(String pending, String delivered, String dead) {
      this(pending, delivered, dead, OnDelivery.KEEP);
    }

    @Override
    public LifecycleKind kind() {
      return LifecycleKind.STATUS;
    }

    @Override
    public Lifecycle with(OnDelivery fate) {
      return new Status(pending, delivered, dead, fate);
    }

    @Override
    public Optional<StatusWords> statusWords() {
      return Optional.of(new StatusWords(List.of(pending), delivered, dead));
    }
  }

  /**
   * Rows are {@linkplain LifecycleKind#isHeld held}. They are delivered once they have a time of
   * delivery, and dead once they have as many attempts as the layout's {@link Layout#retryPolicy}
   * allows.
   */
  record PublishedAt(OnDelivery onDelivery) implements Lifecycle {

    /** A time of delivery, with delivered rows kept. */
    public PublishedAt() {
      this(OnDelivery.KEEP);
    }

    @Override
    public LifecycleKind kind() {
      return LifecycleKind.PUBLISHED_AT;
    }

    @Override
    public Lifecycle with(OnDelivery fate) {
      return new PublishedAt(fate);
    }
  }

  /**
   * Rows are {@linkplain LifecycleKind#isHeld held}, and have a flag that says whether they have
   * been processed. The table of {@link Layout#failures} says which of them are dead.
   *
   * @param marksDead whether the flag is also set on a row the relay gave up on; otherwise it stays
   *     unset there
   */
  record ProcessedFlag(boolean marksDead, OnDelivery onDelivery) implements Lifecycle {

    /** A flag, with delivered rows kept. */
    public ProcessedFlag(boolean marksDead) {
      this(marksDead, OnDelivery.KEEP);
    }

    @Override
    public LifecycleKind kind() {
      return LifecycleKind.PROCESSED_FLAG;
    }

    @Override
    public Lifecycle with(OnDelivery fate) {
      return new ProcessedFlag(marksDead, fate);
    }

    @Override
    public Optional<ProcessedFlag> processedFlag() {
      return Optional.of(this);
    }
  }
}
