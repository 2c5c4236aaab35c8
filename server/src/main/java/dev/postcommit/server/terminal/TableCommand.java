package dev.postcommit.server.terminal;

import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.settings.Setting;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command on the configured outbox table. */
public abstract class TableCommand extends CliCommand {

  @Option(
      names = "--relay",
      order = 800,
      paramLabel = "<name>",
      description =
          "The relay whose settings and table to use, if the setting relays names several.")
  private @Nullable String relay;

  @Override
  public List<Setting<?>> uses() {
    return ServerSettings.TABLE_SETTINGS;
  }

  /** The settings of the chosen relay. */
  @Override
  public final Settings settings() {
    return super.settings().only(relay);
  }

  protected final OutboxTable table() {
    return OutboxTable.of(settings());
  }
}
