package dev.postcommit.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

/** A table into which rows are put that no outbox would write. */
final class PoisonTable {
  private final DataSource dataSource;
  private final Layout layout;

  PoisonTable(DataSource dataSource, Layout layout) {
    this.dataSource = dataSource;
    this.layout = layout;
  }

  /**
   * What a row says; what the layout has no column for is left out.
   *
   * @param payload the payload, in which {@code $ID} stands for the row's id; or null
   */
  record Row(String type, String aggregateType, String key, String payload) {

    Row withType(String other) {
      return new Row(other, aggregateType, key, payload);
    }

    Row withAggregateType(String other) {
      return new Row(type, other, key, payload);
    }

    Row withPayload(String other) {
      return new Row(type, aggregateType, key, other);
    }
  }

  boolean has(Role role) {
    return layout.column(role).isPresent();
  }

  /** Inserts a row in a transaction of its own; returns its id. */
  String insert(Row row) throws SQLException {
    UUID id = UUID.randomUUID();
    Map<Column, String> values = values(row, id.toString());
    if (layout.required(Role.ID).type().equals("uuid")) {
      values.put(layout.required(Role.ID), id.toString());
    }
    if (layout.name().equals("modkit")) {
      values.put(layout.required(Role.NAMESPACE), "default");
      values.put(layout.required(Role.STATUS), "pending");
    }
    List<String> names = new ArrayList<>();
    List<String> places = new ArrayList<>();
    values.forEach(
        (column, value) -> {
          names.add(column.sql());
          places.add(place(column));
        });
    return run(
        "INSERT INTO %s (%s) VALUES (%s) RETURNING %s::text"
            .formatted(
                layout.table().sql(),
                String.join(", ", names),
                String.join(", ", places),
                layout.sql(Role.ID)),
        values);
  }

  /** Makes a row say something else. */
  void correct(String id, Row row) throws SQLException {
    Map<Column, String> values = values(row, id);
    List<String> changes = new ArrayList<>();
    values.forEach((column, value) -> changes.add(column.sql() + " = " + place(column)));
    run(
        "UPDATE %s SET %s WHERE %4$s::text = '%3$s' RETURNING %4$s::text"
            .formatted(layout.table().sql(), String.join(", ", changes), id, layout.sql(Role.ID)),
        values);
  }

  private Map<Column, String> values(Row row, String id) {
    Map<Column, String> values = new LinkedHashMap<>();
    layout.column(Role.TYPE).ifPresent(column -> values.put(column, row.type()));
    layout.column(Role.TOPIC).ifPresent(column -> values.put(column, row.type()));
    layout.column(Role.AGGREGATE_TYPE).ifPresent(column -> values.put(column, row.aggregateType()));
    layout.column(Role.AGGREGATE_ID).ifPresent(column -> values.put(column, row.key()));
    layout.column(Role.KEY).ifPresent(column -> values.put(column, row.key()));
    String payload = row.payload() == null ? null : row.payload().replace("$ID", id);
    values.put(layout.required(Role.PAYLOAD), payload);
    return values;
  }

  private static String place(Column column) {
    return column.isBinary() ? "?" : "CAST(? AS " + column.type() + ")";
  }

  private String run(String sql, Map<Column, String> values) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      int i = 0;
      for (Map.Entry<Column, String> value : values.entrySet()) {
        if (value.getKey().isBinary()) {
          statement.setBytes(++i, value.getValue().getBytes(UTF_8));
        } else {
          statement.setString(++i, value.getValue());
        }
      }
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }
}
