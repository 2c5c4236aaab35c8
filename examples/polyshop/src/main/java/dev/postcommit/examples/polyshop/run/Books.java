package dev.postcommit.examples.polyshop.run;

import dev.postcommit.examples.polyshop.audit.Snapshot;
import dev.postcommit.examples.polyshop.audit.Snapshot.Level;
import dev.postcommit.examples.polyshop.audit.Snapshot.OutboxRow;
import dev.postcommit.examples.polyshop.audit.Snapshot.Payment;
import dev.postcommit.examples.polyshop.audit.Snapshot.Reservation;
import dev.postcommit.examples.polyshop.events.Topics;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Takes down what the databases of the services and the topics hold. */
final class Books implements AutoCloseable {
  private final Servers servers;
  private final List<Service> services;
  private final TopicReader topics;

  Books(Servers servers, List<Service> services) {
    this.servers = servers;
    this.services = services;
    this.topics = new TopicReader(servers.kafka().bootstrapServers());
  }

  Snapshot snapshot() throws SQLException, InterruptedException {
    return new Snapshot(
        map(Service.ORDER, "SELECT id, status FROM orders", row -> row.getString(2)),
        map(
            Service.INVENTORY,
            "SELECT product_id, available, reserved FROM stock",
            row -> new Level(row.getInt(2), row.getInt(3))),
        list(
            Service.INVENTORY,
            "SELECT order_id, product_id, quantity, status FROM reservations",
            Books::reservation),
        list(
            Service.PAYMENT,
            "SELECT order_id, status FROM payments",
            row -> new Payment(uuid(row, 1), row.getString(2))),
        list(
            Service.NOTIFICATION,
            "SELECT CAST(e AS text) FROM email_logs e",
            row -> row.getString(1)),
        list(Service.SEARCH, "SELECT product_id FROM product_index", row -> uuid(row, 1)).size(),
        counts(),
        outbox(),
        topics.read(Topics.ALL::contains),
        topics.read(topic -> topic.endsWith(".dlt")),
        topics.unread(
            services.stream().filter(Service::consumes).map(Service::serviceName).toList()));
  }

  private List<OutboxRow> outbox() throws SQLException {
    List<OutboxRow> rows = new ArrayList<>();
    for (Service service : services) {
      if (service.emits()) {
        rows.addAll(
            list(
                service,
                "SELECT id, event_type, aggregate_id, processed FROM outbox_events"
                    + " ORDER BY created_at, id",
                row ->
                    new OutboxRow(
                        service.serviceName(),
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        row.getBoolean(4))));
      }
    }
    return rows;
  }

  private Map<String, Long> counts() throws SQLException {
    Map<String, Long> counts = new HashMap<>();
    list(
            Service.ANALYTICS,
            "SELECT event_type, events FROM event_counts",
            row -> Map.entry(row.getString(1), row.getLong(2)))
        .forEach(count -> counts.put(count.getKey(), count.getValue()));
    return counts;
  }

  private static Reservation reservation(ResultSet row) throws SQLException {
    return new Reservation(uuid(row, 1), uuid(row, 2), row.getInt(3), row.getString(4));
  }

  private static UUID uuid(ResultSet row, int column) throws SQLException {
    return UUID.fromString(row.getString(column));
  }

  /** Makes something of a row. */
  @FunctionalInterface
  private interface Reading<T> {
    T of(ResultSet row) throws SQLException;
  }

  private <T> Map<UUID, T> map(Service service, String sql, Reading<T> reading)
      throws SQLException {
    Map<UUID, T> map = new HashMap<>();
    list(service, sql, row -> Map.entry(uuid(row, 1), reading.of(row)))
        .forEach(entry -> map.put(entry.getKey(), entry.getValue()));
    return map;
  }

  /** The rows of a query; none of a service that does not run. */
  private <T> List<T> list(Service service, String sql, Reading<T> reading) throws SQLException {
    List<T> list = new ArrayList<>();
    if (!services.contains(service)) {
      return list;
    }
    try (Connection connection = servers.database(service).getConnection();
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        list.add(reading.of(rows));
      }
    }
    return list;
  }

  @Override
  public void close() {
    topics.close();
  }
}
