package dev.postcommit.server;

import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.Setting;
import java.util.List;

/** A command on the outbox table that the settings speak of. */
abstract class TableCommand extends CliCommand {

  TableCommand(Console console) {
    super(console);
  }

  @Override
  List<Setting<?>> uses() {
    return ServerSettings.TABLE_SETTINGS;
  }

  final OutboxTable table() {
    return OutboxTable.of(settings());
  }
}
