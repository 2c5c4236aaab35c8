package dev.postcommit.server.settings;

import dev.postcommit.server.settings.Setting.Group;
import dev.postcommit.server.settings.Setting.Traits;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The settings of the process that relays run in. */
public final class ProcessSettings {

  /** The number of a port that is not opened. */
  public static final int OFF = -1;

  private static final int HIGHEST_PORT = 65_535;

  /** How the log is written. */
  public enum LogFormat {
    /** Lines for people. */
    TEXT,
    /** An object in JSON for each line. */
    JSON
  }

  /** How much is logged. */
  public enum LogLevel {
    /** Everything. */
    TRACE,
    /** What helps to find a mistake. */
    DEBUG,
    /** What begins, ends or changes. */
    INFO,
    /** What goes wrong for now. */
    WARN,
    /** What a person must see to. */
    ERROR,
    /** Nothing. */
    OFF
  }

  /** The relays of the process, by name. */
  public static final Setting<List<String>> RELAYS =
      Setting.of(
          Group.PROCESS,
          "relays",
          "name,...",
          null,
          Readers.names(),
          "Names of relays, if the process is to run several. Each has the settings of its own"
              + " property postcommit.relay.<name>.table or variable POSTCOMMIT_RELAY_<NAME>_TABLE,"
              + " and so on, and shares those that are given without a name.");

  /** Where health and metrics are served. */
  public static final Setting<Integer> HTTP_PORT =
      Setting.of(
          Group.PROCESS,
          "http-port",
          "port|off",
          "8580",
          Readers.port(HIGHEST_PORT),
          "Where health and metrics are served by HTTP: /livez, /readyz and /actuator/prometheus; 0"
              + " for any free port, 'off' for none.");

  /** On which address health and metrics are served. */
  public static final Setting<String> HTTP_ADDRESS =
      Setting.of(
          Group.PROCESS,
          "http-address",
          "address",
          "127.0.0.1",
          Readers.text(),
          "The address that http-port is opened on: this machine alone, unless it is another, as"
              + " 0.0.0.0 in a container. Whoever can reach it sees states and metrics, and no"
              + " secrets.");

  /** Where operators' requests are answered. */
  public static final Setting<Integer> ADMIN_PORT =
      Setting.of(
          Group.PROCESS,
          "admin-port",
          "port|off",
          "off",
          Readers.port(HIGHEST_PORT),
          "Where operators' requests are answered by HTTP, as docs/operations.md says; 0 for any free"
              + " port. Needs admin-token.");

  /** On which address operators' requests are answered. */
  public static final Setting<String> ADMIN_ADDRESS =
      Setting.of(
          Group.PROCESS,
          "admin-address",
          "address",
          "127.0.0.1",
          Readers.text(),
          "The address that admin-port is opened on. There is no encryption: what is not this"
              + " machine should come through a proxy that has it.");

  /** What operators' requests must carry. */
  public static final Setting<String> ADMIN_TOKEN =
      Setting.of(
              Group.PROCESS,
              "admin-token",
              "secret",
              null,
              Readers.secret(),
              "What operators' requests must carry as 'Authorization: Bearer <secret>'; at least 16"
                  + " characters.")
          .with(Traits.SECRET);

  /** A file with what operators' requests must carry. */
  public static final Setting<Path> ADMIN_TOKEN_FILE =
      Setting.of(
          Group.PROCESS,
          "admin-token-file",
          "file",
          null,
          Readers.path(),
          "A file with the token and nothing else, as /run/secrets/admin-token, in place of"
              + " admin-token; see docs/security.md.");

  /** How the log is written. */
  public static final Setting<LogFormat> LOG_FORMAT =
      Setting.of(
          Group.PROCESS,
          "log-format",
          "text|json",
          "text",
          Readers.choice(LogFormat.class),
          "How the log is written: lines for people, or an object in JSON for each line.");

  /** How much is logged, by logger. */
  public static final Setting<Map<String, LogLevel>> LOG_LEVEL =
      Setting.of(
          Group.PROCESS,
          "log-level",
          "level,...",
          "info",
          Readers.levels(),
          "How much is logged: trace, debug, info, warn, error or off, for all or for a logger and"
              + " those below it, as info,dev.postcommit.event=debug, which shows the path of every"
              + " event. Libraries that say much are at warn unless they are named.");

  /** Where traces are sent. */
  public static final Setting<String> OTLP_ENDPOINT =
      Setting.of(
          Group.PROCESS,
          "otlp-endpoint",
          "url",
          null,
          Readers.httpUrl(),
          "Where traces are sent by OTLP over HTTP, as http://localhost:4318; none unless given."
              + " Further variables of OpenTelemetry, as OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER and"
              + " OTEL_EXPORTER_OTLP_HEADERS, are honoured.");

  /** All of them, in the order help shows them. */
  public static final List<Setting<?>> ALL =
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
}
