package dev.postcommit.server.logging;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.postcommit.server.settings.ProcessSettings;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.settings.Setting;
import java.io.ByteArrayInputStream;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Decides whether and how this process writes logs. */
public final class Logs {

  /** The system property that selects SLF4J's provider. */
  private static final String PROVIDER = "slf4j.provider";

  /** SLF4J's own logger that drops everything. */
  private static final String NOTHING = "org.slf4j.helpers.NOP_FallbackServiceProvider";

  /** SLF4J would report the choice at each start. */
  private static final String VERBOSITY = "slf4j.internal.verbosity";

  /** Replaces logback.xml, of which other jars may contain one too. */
  private static final String CONFIGURATION =
      "<configuration><include resource='dev/postcommit/server/logging/log.xml'/></configuration>";

  /** The logger would lose its level if it were garbage-collected. */
  private static final class Grpc {
    private static final Logger LOGGER = Logger.getLogger("io.grpc");
  }

  /** The driver logs errors that it also throws, and that are reported from there. */
  private static final class Driver {
    private static final String NAME = "org.postgresql";
    private static final Logger LOGGER = Logger.getLogger(NAME);
  }

  private Logs() {}

  /** Redirects the logs of all libraries, whatever API they use, to one log. */
  public static void gather() {
    System.setProperty(
        "org.apache.commons.logging.LogFactory", "org.apache.commons.logging.impl.Slf4jLogFactory");
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  /** Configures the log from the settings. */
  public static void configure(Settings settings) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    context.putProperty("format", Setting.word(settings.get(ProcessSettings.LOG_FORMAT)));
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    try {
      configurator.doConfigure(new ByteArrayInputStream(CONFIGURATION.getBytes(UTF_8)));
    } catch (JoranException e) {
      throw new IllegalStateException("the log cannot be configured", e);
    }
    if (settings.get(ProcessSettings.LOG_LEVEL).keySet().stream()
        .anyMatch(logger -> logger.startsWith(Driver.NAME))) {
      Driver.LOGGER.setLevel(null);
    }
    settings
        .get(ProcessSettings.LOG_LEVEL)
        .forEach(
            (logger, level) ->
                context
                    .getLogger(logger)
                    .setLevel(ch.qos.logback.classic.Level.valueOf(level.name())));
  }

  /** Silences the database driver unless the settings name it. */
  public static void quietDriver() {
    Driver.LOGGER.setLevel(Level.OFF);
  }

  /** Silences gRPC's routine messages. */
  public static void quietGrpc() {
    Grpc.LOGGER.setLevel(Level.WARNING);
  }

  /** Turns logging off, which spares short commands the time to load a logger. */
  public static void switchOff() {
    if (System.getProperty(PROVIDER) == null) {
      System.setProperty(PROVIDER, NOTHING);
      System.setProperty(VERBOSITY, "WARN");
    }
  }
}
