package dev.postcommit.opentelemetry;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.MDC;

/** A service that takes orders, and reserves stock for them when it hears of them. */
final class Shop implements AutoCloseable {
  private static final RetryPolicy QUICK =
      new RetryPolicy(5, Duration.ofMillis(10), Duration.ofMillis(20));

  final String orders = "orders-" + UUID.randomUUID();
  final String stock = "stock-" + UUID.randomUUID();

  /** The headers of events when they were handled, and what was to be logged with them. */
  final List<ReceivedEvent<?>> handled = new CopyOnWriteArrayList<>();

  final List<Map<String, String>> logged = new CopyOnWriteArrayList<>();

  /** How many calls of handlers are yet to fail. */
  final AtomicInteger failures = new AtomicInteger();

  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final UUID aggregate = UUID.randomUUID();
  private final Layout layout;
  private final Telemetry telemetry;
  private final String system;
  private final Outbox outbox;

  Shop(Layout layout, Telemetry telemetry, String system) {
    this.layout = layout;
    this.telemetry = telemetry;
    this.system = system;
    this.outbox = TracingOutbox.of(Outbox.builder(layout).build(), layout, telemetry.sdk());
    OutboxMigration.migrate(database.dataSource(), layout);
    InboxMigration.migrate(database.dataSource(), TableName.of("processed_events"));
  }

  /** Places an order in a transaction and a span of its own. */
  void placeOrder(String correlationId) throws Exception {
    Telemetry.correlated(
        correlationId,
        operation ->
            telemetry.within(
                "place order",
                span -> {
                  try (Connection tx = database.dataSource().getConnection()) {
                    tx.setAutoCommit(false);
                    outbox.enqueue(tx, event(orders));
                    tx.commit();
                  }
                }));
  }

  private Event event(String type) {
    Event.Builder event = Event.builder(type).json("{}");
    if (layout.column(Role.TYPE).isEmpty()) {
      event.tenant(aggregate);
    } else {
      event.aggregateId(aggregate.toString());
    }
    return event.build();
  }

  Relay relay(Publisher publisher) {
    return Relay.builder(database.dataSource(), publisher)
        .layout(layout)
        .retryPolicy(QUICK)
        .pollInterval(Duration.ofMillis(10))
        .listener(RelayTracing.of(telemetry.sdk(), system))
        .build();
  }

  EventConsumer consumer() {
    String name = "shop-" + UUID.randomUUID();
    return EventConsumer.builder(name)
        .inbox(
            Inbox.transactional(JdbcIdempotencyStore.builder(database.dataSource(), name).build()))
        .retryPolicy(QUICK)
        .on(
            orders,
            String.class,
            (tx, event) -> {
              outbox.enqueue(tx, event(stock));
              note(event);
            })
        .on(stock, String.class, (tx, event) -> note(event))
        .listener(ConsumerTracing.of(telemetry.sdk(), system))
        .build();
  }

  private void note(ReceivedEvent<?> event) {
    if (failures.getAndDecrement() > 0) {
      throw new IllegalStateException("no stock");
    }
    logged.add(MDC.getCopyOfContextMap());
    handled.add(event);
  }

  /** The first column of the first row. */
  String query(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
