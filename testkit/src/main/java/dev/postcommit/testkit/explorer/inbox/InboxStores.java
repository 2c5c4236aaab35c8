package dev.postcommit.testkit.explorer.inbox;

import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/** Where the consumers of an {@link InboxScenario} keep their marks. */
public interface InboxStores {

  /** Creates what it needs, once. */
  void create(DataSource database) throws SQLException;

  /** Forgets all marks. */
  void reset(Connection connection) throws SQLException;

  /** The store of an actor, whose requests are steps; what it has to find out first it knows. */
  IdempotencyStore open(Stage.Role self, Wire wire);

  /** A store whose requests are no steps. */
  IdempotencyStore unwatched(Stage stage);

  /** Lets the in-progress time pass, as a step of an actor. */
  void timePasses(Stage.Role self) throws SQLException;

  /** Lets it pass, when all actors have ended. */
  void timePasses(Stage stage) throws SQLException;

  /** The events that are marked as processed, if the store can tell. */
  Set<String> processed(Stage stage) throws SQLException;
}
