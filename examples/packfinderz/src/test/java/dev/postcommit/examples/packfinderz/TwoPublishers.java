package dev.postcommit.examples.packfinderz;

import static org.awaitility.Awaitility.await;

import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.pubsub.PubSubReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Two publishers on one table, of which somebody else has locked a row. */
final class TwoPublishers implements AutoCloseable {
  private static final int MANY = 40;

  private final Stage stage = new Stage();
  private final String subscription = stage.subscribe();
  private final Connection other;
  private int uploaded;

  TwoPublishers() throws SQLException {
    other = stage.dataSource().getConnection();
    other.setAutoCommit(false);
  }

  /** Uploads licenses, and locks the event of the first. */
  String uploadAndLock() throws SQLException {
    String event = stage.upload();
    uploaded++;
    uploadMany();
    try (Statement statement = other.createStatement()) {
      statement.execute("SELECT 1 FROM outbox_events WHERE id = '" + event + "' FOR UPDATE");
    }
    return event;
  }

  private void uploadMany() throws SQLException {
    stage.uploadMany(MANY);
    uploaded += MANY;
  }

  /** Starts both at the same time. */
  void start() {
    ChildProcess first = stage.publisher().start();
    ChildProcess second = stage.publisher().start();
    Stage.awaitStart(first);
    Stage.awaitStart(second);
  }

  void awaitPublishedAllBut(String event) {
    await()
        .atMost(Stage.PATIENCE)
        .until(() -> stage.unpublished() == 1 && !stage.isPublished(event));
  }

  /** Lets go of the row, and uploads more. */
  void unlock() throws SQLException {
    other.rollback();
    uploadMany();
  }

  void awaitAllPublished() {
    stage.awaitAllPublished();
  }

  int uploaded() {
    return uploaded;
  }

  /** The ids of all messages. */
  List<String> published() {
    return PubSubReader.read(stage.pubsub(), subscription, uploaded).stream()
        .map(message -> message.headers().get("event_id"))
        .toList();
  }

  @Override
  public void close() throws SQLException {
    other.close();
    stage.close();
  }
}
