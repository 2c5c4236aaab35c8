package dev.postcommit.server.cli;

import dev.postcommit.layout.Layout;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.server.terminal.Options;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.settings.ConfiguredLayout;
import dev.postcommit.settings.ConfiguredRelay;
import dev.postcommit.settings.Setting;
import dev.postcommit.store.Grants;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postcommit grants}. */
@Command(
    name = "grants",
    customSynopsis = "postcommit grants --role writer|relay|operator [--to <user>] [<settings>]",
    description = {
      "Prints the GRANT statements that a database user needs, without connecting to a database.",
      "",
      "A writer enqueues events. A relay delivers them, and deletes old ones unless retention is off;"
          + " with wait-for-standbys, it also reads the progress of standbys."
          + " An operator runs the commands status, pause, resume, topics, dead and prune; a relay"
          + " with an admin API needs these privileges too. A relay checks its privileges before it"
          + " starts. The tables must exist: run 'postcommit migrate' as their owner."
    },
    footer = {
      "  postcommit grants --role relay",
      "  postcommit grants --role writer --to shop --table billing.outbox",
      "  postcommit grants --role operator --layout log --to ops | psql app",
      "",
      "Exit codes: 0 done, 2 wrong usage or settings."
    })
final class GrantsCommand extends TableCommand {

  /** The roles of database users. */
  enum DatabaseRole {
    WRITER,
    RELAY,
    OPERATOR
  }

  @Option(
      names = "--role",
      required = true,
      paramLabel = "writer|relay|operator",
      description = "What the user does.")
  @SuppressWarnings("NullAway.Init") // required
  private String role;

  @Option(
      names = "--to",
      paramLabel = "<user>",
      description = "The database user. Default: the name of the role.")
  private @Nullable String user;

  @Override
  public List<Setting<?>> uses() {
    return ServerSettings.GRANTS_SETTINGS;
  }

  @Override
  public Integer call() {
    DatabaseRole wanted = Options.choice(this, "--role", role, DatabaseRole.class);
    Settings settings = settings();
    Layout layout = ConfiguredLayout.of(settings);
    String grantee = user == null ? Setting.word(wanted) : user;
    boolean prunes = ConfiguredRelay.retention(settings) != null;
    boolean waits = ConfiguredRelay.waitsForStandbys(settings);
    List<String> grants =
        switch (wanted) {
          case WRITER -> Grants.writer(layout, grantee);
          case RELAY -> Grants.relay(layout, prunes, waits, grantee);
          case OPERATOR -> Grants.operator(layout, grantee);
        };
    grants.forEach(grant -> out().println(grant + ";"));
    if (wanted == DatabaseRole.RELAY && layout.isLog()) {
      out()
          .println(
              "-- and, to create and drop partitions: GRANT <owner of the table> TO " + grantee);
    }
    return ExitCode.OK;
  }
}
