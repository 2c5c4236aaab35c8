package dev.postcommit.server.relay;

import dev.postcommit.PostcommitException;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.table.Failure;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.settings.ConfiguredRelay;
import dev.postcommit.store.LayoutCheck;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the table before a relay starts. */
final class TableCheck {
  private static final Logger log = LoggerFactory.getLogger(TableCheck.class);

  private TableCheck() {}

  /**
   * Refuses a table that does not fit its layout, or on which the user lacks privileges. A database
   * that does not answer is none of this class's business, and the table of a preset may yet be
   * made: the relay waits for both.
   */
  static void check(DataSource dataSource, OutboxTable table, Settings settings) {
    try {
      LayoutCheck check = LayoutCheck.of(dataSource, table.layout());
      List<String> problems = ConfiguredRelay.problems(settings, check);
      if (!check.tableExists() && table.layout().isPreset()) {
        log.warn("there is no table {} yet; run 'postcommit migrate'", table);
      } else if (!problems.isEmpty()) {
        throw new Failure(
            "%s does not fit the %s layout:%n  %s"
                .formatted(
                    table,
                    table.layout().name(),
                    String.join(System.lineSeparator() + "  ", problems)));
      }
    } catch (PostcommitException e) {
      log.debug("could not look at the table before the start", e);
    }
  }
}
