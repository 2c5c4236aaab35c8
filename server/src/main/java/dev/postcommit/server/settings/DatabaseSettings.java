package dev.postcommit.server.settings;

import static dev.postcommit.settings.Setting.Group.DATABASE;

import dev.postcommit.settings.Readers;
import dev.postcommit.settings.Setting;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;

/** The settings of the database. */
public final class DatabaseSettings {
  private static final String HOST = "(\\[[^\\]/]*\\]|[^:/,?]*)(:\\d{1,5})?";
  private static final Pattern JDBC_URL =
      Pattern.compile("jdbc:postgresql:((?!//).*|//" + HOST + "(," + HOST + ")*([/?].*)?)");

  public static final Setting<String> DATABASE_URL =
      DATABASE
          .setting(
              "database-url",
              "url",
              DatabaseSettings::jdbcUrl,
              "The database of the outbox table, such as jdbc:postgresql://host:5432/database."
                  + " Required.")
          .secret();

  public static final Setting<String> DATABASE_USER =
      DATABASE.setting(
          "database-user",
          "name",
          Readers.text(),
          "The database user. Default: the one in the URL, or else your login name.");

  public static final Setting<String> DATABASE_PASSWORD =
      DATABASE
          .setting(
              "database-password",
              "secret",
              Readers.text(),
              "The user's password. Others on this machine can see options: prefer the environment"
                  + " or a file.")
          .secret();

  public static final Setting<Path> DATABASE_PASSWORD_FILE =
      DATABASE.setting(
          "database-password-file",
          "file",
          Readers.path(),
          "A file that contains only the user's password, such as /run/secrets/database-password;"
              + " replaces database-password. See docs/security.md.");

  static final List<Setting<?>> ALL =
      List.of(DATABASE_URL, DATABASE_USER, DATABASE_PASSWORD, DATABASE_PASSWORD_FILE);

  private DatabaseSettings() {}

  /** An address that the driver understands; it does not take a user before the host. */
  private static String jdbcUrl(String text) {
    if (text.matches("jdbc:postgresql://[^/?]*@.*")) {
      throw new IllegalArgumentException(
          "has a user before the host; leave that out, and give database-user and"
              + " database-password");
    }
    if (!JDBC_URL.matcher(text).matches() || !isUnderstood(text)) {
      throw new IllegalArgumentException(
          "is not a Postgres address; write jdbc:postgresql://host:5432/database");
    }
    return text;
  }

  private static boolean isUnderstood(String url) {
    try {
      return DriverManager.getDriver(url) != null;
    } catch (SQLException e) {
      return false;
    }
  }
}
