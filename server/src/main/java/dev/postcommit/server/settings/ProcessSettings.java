package dev.postcommit.server.settings;

import static dev.postcommit.settings.Setting.Group.PROCESS;

import dev.postcommit.settings.Readers;
import dev.postcommit.settings.Setting;
import dev.postcommit.settings.Setting.Reader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;

/** The settings of the process that relays run in. */
public final class ProcessSettings {

  /** The number of a port that is not opened. */
  public static final int OFF = -1;

  private static final int HIGHEST_PORT = 65_535;
  private static final int SHORTEST_SECRET = 16;
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

  /** The format of the log. */
  public enum LogFormat {
    /** Lines for people. */
    TEXT,
    /** One JSON object per line. */
    JSON
  }

  /** The levels of the log. */
  public enum LogLevel {
    /** Everything. */
    TRACE,
    /** Details for troubleshooting. */
    DEBUG,
    /** Starts, stops and changes. */
    INFO,
    /** Failures that are being retried. */
    WARN,
    /** Failures that a person must act on. */
    ERROR,
    /** Nothing. */
    OFF
  }

  public static final Setting<List<String>> RELAYS =
      PROCESS.setting(
          "relays",
          "name,...",
          ProcessSettings::names,
          "Names of relays, if the process runs several. Each has its own settings, by property"
              + " postcommit.relay.<name>.table or variable POSTCOMMIT_RELAY_<NAME>_TABLE and so"
              + " on, and shares those given without a name.");

  public static final Setting<Integer> HTTP_PORT =
      PROCESS.setting(
          "http-port",
          "port|off",
          "8580",
          ProcessSettings::port,
          "The HTTP port for health and metrics: /livez, /readyz and /actuator/prometheus; 0"
              + " for any free port, 'off' for none.");

  public static final Setting<String> HTTP_ADDRESS =
      PROCESS.setting(
          "http-address",
          "address",
          "127.0.0.1",
          Readers.text(),
          "The address that http-port is bound to. The default allows this machine only; use"
              + " 0.0.0.0 in a container. Clients see states and metrics, but no secrets.");

  public static final Setting<Integer> ADMIN_PORT =
      PROCESS.setting(
          "admin-port",
          "port|off",
          "off",
          ProcessSettings::port,
          "The HTTP port of the admin API, see docs/admin-api.md; 0 for any free port. Needs"
              + " admin-token.");

  public static final Setting<String> ADMIN_ADDRESS =
      PROCESS.setting(
          "admin-address",
          "address",
          "127.0.0.1",
          Readers.text(),
          "The address that admin-port is bound to. It is not encrypted: put a proxy with TLS in"
              + " front of it for access from other machines.");

  public static final Setting<String> ADMIN_TOKEN =
      PROCESS
          .setting(
              "admin-token",
              "secret",
              ProcessSettings::secret,
              "The token that requests to the admin API must carry as 'Authorization: Bearer"
                  + " <secret>'; at least 16 characters.")
          .secret();

  public static final Setting<Path> ADMIN_TOKEN_FILE =
      PROCESS.setting(
          "admin-token-file",
          "file",
          Readers.path(),
          "A file that contains only the token, such as /run/secrets/admin-token; replaces"
              + " admin-token. See docs/security.md.");

  public static final Setting<LogFormat> LOG_FORMAT =
      PROCESS.setting(
          "log-format",
          "text|json",
          "text",
          Readers.choice(LogFormat.class),
          "The format of the log: lines for people, or one JSON object per line.");

  public static final Setting<Map<String, LogLevel>> LOG_LEVEL =
      PROCESS.setting(
          "log-level",
          "level,...",
          "info",
          ProcessSettings::levels,
          "How much is logged: trace, debug, info, warn, error or off, in general or for one"
              + " logger and those below it. For example, info,dev.postcommit.event=debug shows"
              + " the path of every event. Verbose libraries log at warn unless they are named.");

  public static final Setting<String> OTLP_ENDPOINT =
      PROCESS.setting(
          "otlp-endpoint",
          "url",
          ProcessSettings::httpUrl,
          "The endpoint that traces are sent to by OTLP over HTTP, such as http://localhost:4318."
              + " Default: no traces. OpenTelemetry's own variables, such as OTEL_SERVICE_NAME,"
              + " OTEL_TRACES_SAMPLER and OTEL_EXPORTER_OTLP_HEADERS, apply too.");

  static final List<Setting<?>> ALL =
      List.of(
          RELAYS,
          HTTP_PORT,
          HTTP_ADDRESS,
          ADMIN_PORT,
          ADMIN_ADDRESS,
          ADMIN_TOKEN,
          ADMIN_TOKEN_FILE,
          LOG_FORMAT,
          LOG_LEVEL,
          OTLP_ENDPOINT);

  private ProcessSettings() {}

  /** Names of relays, which are parts of properties and variables. */
  private static List<String> names(String text) {
    List<String> names = Readers.list(text);
    for (String name : names) {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "is not a list of names; write small letters, digits and - as orders,billing-2");
      }
    }
    if (Set.copyOf(names).size() < names.size()) {
      throw new IllegalArgumentException("names a relay twice");
    }
    return names;
  }

  private static int port(String text) {
    if (text.equals("off")) {
      return OFF;
    }
    try {
      return Readers.integer(0, HIGHEST_PORT).read(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "is not a port from 0 to " + HIGHEST_PORT + ", nor 'off'", e);
    }
  }

  private static String secret(String text) {
    if (text.length() < SHORTEST_SECRET) {
      throw new IllegalArgumentException(
          "is shorter than " + SHORTEST_SECRET + " characters; try 'openssl rand -hex 32'");
    }
    return text;
  }

  private static String httpUrl(String text) {
    if (!text.matches("https?://[^/\\s]+.*")) {
      throw new IllegalArgumentException("is not a URL; write http://host:4318");
    }
    return text;
  }

  /** Levels by logger; one without a logger is that of all others. */
  private static Map<String, LogLevel> levels(String text) {
    Reader<LogLevel> level = Readers.choice(LogLevel.class);
    Map<String, LogLevel> levels = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String logger = equals < 0 ? Logger.ROOT_LOGGER_NAME : part.substring(0, equals).strip();
      try {
        if (logger.isEmpty()
            || levels.put(logger, level.read(part.substring(equals + 1).strip())) != null) {
          throw new IllegalArgumentException("names no logger, or one twice");
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "is not a list of levels as info,dev.postcommit=debug: '%s' %s"
                .formatted(part.strip(), e.getMessage()),
            e);
      }
    }
    return levels;
  }
}
