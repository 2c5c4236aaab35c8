package dev.postcommit.server;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.layout.TableName;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.ServerSettings.LayoutName;
import dev.postcommit.server.settings.Settings;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The table the settings speak of, and how to reach it.
 *
 * @param url the database, secrets and all
 * @param user the user, or null to leave it to url and driver
 * @param password the password, or null for none
 * @param layout the table and its shape
 */
record OutboxTable(String url, @Nullable String user, @Nullable String password, Layout layout) {

  static OutboxTable of(Settings settings) {
    return new OutboxTable(
        settings.get(ServerSettings.DATABASE_URL),
        settings.find(ServerSettings.DATABASE_USER).orElse(null),
        settings.find(ServerSettings.DATABASE_PASSWORD).orElse(null),
        layout(settings));
  }

  private static Layout layout(Settings settings) {
    Optional<TableName> table = settings.find(ServerSettings.TABLE);
    Layout layout =
        settings.get(ServerSettings.LAYOUT) == LayoutName.MODKIT
            ? table.map(Layout::modkit).orElseGet(Layout::modkit)
            : table.map(Layout::nativeTable).orElseGet(Layout::nativeTable);
    return settings.get(ServerSettings.ON_DELIVERY) == OnDelivery.DELETE
        ? layout.deletingOnDelivery()
        : layout;
  }

  /** The url without its parameters and user, which may hold secrets. */
  String address() {
    String plain = url.replaceFirst("[?].*", "");
    return plain.replaceFirst("//[^/]*@", "//");
  }

  /** Names the table without secrets. */
  @Override
  public String toString() {
    return layout.table() + " at " + address();
  }
}
