package dev.postcommit.server.table;

import dev.postcommit.layout.Layout;
import dev.postcommit.server.settings.DatabaseSettings;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.settings.ConfiguredLayout;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The configured table, and how to reach it.
 *
 * @param url the database, including secrets
 * @param user the user, or null to leave it to url and driver
 * @param password the password, or null for none
 * @param layout the table, its shape and its retry policy
 */
public record OutboxTable(
    String url, @Nullable String user, @Nullable String password, Layout layout) {

  public static OutboxTable of(Settings settings) {
    return new OutboxTable(
        settings.get(DatabaseSettings.DATABASE_URL),
        settings.find(DatabaseSettings.DATABASE_USER).orElse(null),
        settings
            .secret(DatabaseSettings.DATABASE_PASSWORD, DatabaseSettings.DATABASE_PASSWORD_FILE)
            .orElse(null),
        ConfiguredLayout.of(settings));
  }

  /**
   * The properties of a connection.
   *
   * @param application the name that the database shows for it
   * @param connectTimeout how long opening it may take
   * @param socketTimeout how long an answer may take
   */
  public Properties login(String application, Duration connectTimeout, Duration socketTimeout) {
    Properties properties = new Properties();
    if (user != null) {
      properties.setProperty("user", user);
    }
    if (password != null) {
      properties.setProperty("password", password);
    }
    properties.setProperty("ApplicationName", application);
    properties.setProperty("connectTimeout", Long.toString(connectTimeout.toSeconds()));
    properties.setProperty("socketTimeout", Long.toString(socketTimeout.toSeconds()));
    return properties;
  }

  /** The URL without its parameters and user, which may contain secrets. */
  public String address() {
    String plain = url.replaceFirst("[?].*", "");
    return plain.replaceFirst("//[^/]*@", "//");
  }

  /** Names the table without secrets. */
  @Override
  public String toString() {
    return layout.table() + " at " + address();
  }
}
