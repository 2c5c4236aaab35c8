package dev.postcommit.server.cli;

import dev.postcommit.layout.Layout;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.terminal.Terminal;
import dev.postcommit.settings.SettingException;
import java.util.Map;

/** Starts the servers that a relay lacks, for one run. */
@FunctionalInterface
public interface Sandbox {

  /** The sandbox of a build that contains no servers. */
  static Sandbox none() {
    return (settings, terminal) -> {
      throw new SettingException(
          "there is no sandbox in this build; run './postcommit relay --sandbox' from the sources,"
              + " or leave --sandbox out and name a database and a broker");
    };
  }

  /**
   * Starts a server for each that {@code settings} do not name, and says so on {@code terminal}.
   *
   * @throws SettingException if there is no way to do so
   * @throws dev.postcommit.server.table.Failure if a server cannot be started; then none is left
   */
  Servers start(Settings settings, Terminal terminal);

  /** The servers of one run; they end with it or with the process. */
  interface Servers extends AutoCloseable {

    /** The environment variables with which a relay finds them. */
    Map<String, String> environment();

    /** Prints where they are and how to try them, once the table exists. */
    void introduce(Layout layout);

    @Override
    void close();
  }
}
