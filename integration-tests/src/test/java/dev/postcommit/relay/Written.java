package dev.postcommit.relay;

import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.relay.PoisonTable.Row;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The rows of a table with poison in it.
 *
 * @param good the ids of good rows by key, in their order
 * @param poison the expected reasons by the ids of the poison rows
 */
record Written(Map<String, List<String>> good, Map<String, String> poison) {

  /**
   * Puts each kind of poison twice between good rows: among rows of its own key, and as the first
   * of another key.
   */
  static Written of(PoisonTable table, Row good, Map<Row, String> poison) throws SQLException {
    Map<String, List<String>> ids = new TreeMap<>();
    Map<String, String> reasons = new LinkedHashMap<>();
    int number = 1;
    for (Map.Entry<Row, String> kind : poison.entrySet()) {
      String other = new UUID(0, ++number).toString();
      for (String key : List.of(good.key(), other)) {
        reasons.put(table.insert(withKey(kind.getKey(), key)), kind.getValue());
        for (int i = 0; i < 2; i++) {
          ids.computeIfAbsent(key, k -> new ArrayList<>()).add(table.insert(withKey(good, key)));
        }
      }
    }
    return new Written(ids, reasons);
  }

  /** The ids of messages by key, in the order they were sent. */
  static Map<String, List<String>> byKey(List<Message> messages) {
    Map<String, List<String>> ids = new TreeMap<>();
    for (Message message : messages) {
      ids.computeIfAbsent(message.key(), key -> new ArrayList<>())
          .add(ScriptedPublisher.id(message));
    }
    return ids;
  }

  private static Row withKey(Row row, String key) {
    return new Row(row.type(), row.aggregateType(), key, row.payload());
  }
}
