package dev.postcommit.store;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.check.CatalogueCheck;
import dev.postcommit.layout.Layout;
import dev.postcommit.support.Pooler;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * How the tables in a database fit a layout, as its catalogue shows them to the present user.
 *
 * @param tableExists whether the outbox table is there
 * @param relay what keeps a relay from working, each with what to do; empty if nothing does
 * @param outbox what keeps an {@link dev.postcommit.Outbox} from writing; a table whose rows are
 *     written by other means need not mind
 * @param admin what keeps an {@link OutboxAdmin} from working
 * @param pruning what keeps delivered rows from being deleted when they are old
 * @param presence what keeps a relay from showing itself to operators, heeding a pause and telling
 *     which topics take no messages, though it delivers; tables that are not there are left out
 * @param standbys what keeps a relay from seeing what standbys have, if it is to wait for them
 */
public record LayoutCheck(
    boolean tableExists,
    List<String> relay,
    List<String> outbox,
    List<String> admin,
    List<String> pruning,
    List<String> presence,
    List<String> standbys) {

  /** Keeps its own copies. */
  public LayoutCheck {
    relay = List.copyOf(relay);
    outbox = List.copyOf(outbox);
    admin = List.copyOf(admin);
    pruning = List.copyOf(pruning);
    presence = List.copyOf(presence);
    standbys = List.copyOf(standbys);
  }

  /**
   * Looks at the catalogue; changes nothing.
   *
   * @throws PostcommitException if the database cannot be asked
   */
  public static LayoutCheck of(DataSource dataSource, Layout layout) {
    try (Connection connection = dataSource.getConnection()) {
      Pooler.of(dataSource).prepare(connection);
      return CatalogueCheck.of(connection, layout);
    } catch (SQLException e) {
      throw new PostcommitException(
          "could not check %s against the catalogue: %s".formatted(layout.table(), e.getMessage()),
          e);
    }
  }
}
