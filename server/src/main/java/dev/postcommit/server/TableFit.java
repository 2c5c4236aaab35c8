package dev.postcommit.server;

import dev.postcommit.PostcommitException;
import dev.postcommit.store.LayoutCheck;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A look at the table before a relay starts. */
final class TableFit {
  private static final Logger log = LoggerFactory.getLogger(TableFit.class);

  private TableFit() {}

  /**
   * Refuses a table that does not fit its layout. A database that does not answer is none of this
   * class's business, and the table of a preset may yet be made: the relay waits for both.
   */
  static void check(DataSource dataSource, OutboxTable table) {
    try {
      LayoutCheck check = LayoutCheck.of(dataSource, table.layout());
      if (!check.tableExists() && table.layout().isPreset()) {
        log.warn("there is no table {} yet; run 'postcommit migrate'", table);
      } else if (!check.relay().isEmpty()) {
        throw new Failure(
            "%s does not fit the %s layout:%n  %s"
                .formatted(
                    table,
                    table.layout().name(),
                    String.join(System.lineSeparator() + "  ", check.relay())));
      }
    } catch (PostcommitException e) {
      log.debug("could not look at the table before the start", e);
    }
  }
}
