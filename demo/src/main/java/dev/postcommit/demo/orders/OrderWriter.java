package dev.postcommit.demo.orders;

import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.demo.orders.OrderGenerator.Draft;
import dev.postcommit.demo.orders.OrderGenerator.Repeated;
import dev.postcommit.testkit.ledger.Ledger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/**
 * Writes the transactions of one {@link OrderGenerator}, and records in the ledger what became of
 * each event.
 *
 * <p>Orders belong to one writer each, so the order in which their events are written is known.
 */
public final class OrderWriter implements Callable<Integer> {
  private static final double ROLLED_BACK = 0.1;
  private static final String SAVE =
      """
      INSERT INTO orders (id, customer, step) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET step = excluded.step, changed_at = now()""";

  private final Outbox outbox;
  private final DataSource dataSource;
  private final Ledger ledger;
  private final Tally tally;
  private final Pace pace;
  private final int quota;
  private final Random random;
  private final OrderGenerator generator;
  private int committed;

  /** Creates a writer that commits {@code quota} events. */
  public OrderWriter(
      String name,
      List<Order.Poison> poisons,
      int quota,
      long seed,
      Outbox outbox,
      DataSource dataSource,
      Ledger ledger,
      Tally tally,
      Pace pace) {
    this.outbox = outbox;
    this.dataSource = dataSource;
    this.ledger = ledger;
    this.tally = tally;
    this.pace = pace;
    this.quota = quota;
    this.random = new Random(seed);
    this.generator = new OrderGenerator(name, poisons, random);
  }

  /** Writes until the quota is reached or the pace is stopped; returns the committed events. */
  @Override
  public Integer call() throws SQLException, InterruptedException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      while (committed < quota && pace.await(committed)) {
        write(connection, generator.draft(quota - committed));
      }
      connection.setAutoCommit(true);
    }
    return committed;
  }

  private void write(Connection connection, Draft draft) throws SQLException {
    save(connection, draft.moved());
    for (Enqueued enqueued : outbox.enqueueAll(connection, draft.events())) {
      if (!(enqueued instanceof Enqueued.Written)) {
        tally.wrong("event " + enqueued.id() + " stood in the way of another");
      }
    }
    if (draft.repeated() != null) {
      repeat(connection, draft.repeated());
    }
    if (random.nextDouble() < ROLLED_BACK) {
      connection.rollback();
      tally.countRollback();
      draft.events().forEach(event -> ledger.rolledBack(event.id().toString()));
    } else {
      connection.commit();
      tell(draft);
      generator.committed(draft);
    }
  }

  private void repeat(Connection connection, Repeated repeated) {
    Enqueued enqueued = outbox.enqueue(connection, repeated.event());
    if (!enqueued.equals(new Enqueued.AlreadyEnqueued(repeated.firstId()))) {
      tally.wrong("event " + repeated.firstId() + " was written a second time: " + enqueued);
    }
    // If it arrives anyway, it is a phantom.
    ledger.rolledBack(repeated.event().id().toString());
    tally.countRepeated();
  }

  private void tell(Draft draft) {
    for (Event event : draft.events()) {
      String id = event.id().toString();
      if (draft.poisonous().contains(event.id())) {
        ledger.expectedDead(id);
      }
      ledger.committed(id, event.key(), committed++);
    }
    tally.countCommitted(draft.events().size(), draft.poisonous().size());
  }

  private static void save(Connection connection, List<Order> moved) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SAVE)) {
      for (Order order : moved) {
        statement.setString(1, order.id());
        statement.setString(2, order.customer());
        statement.setString(3, order.step().name());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
