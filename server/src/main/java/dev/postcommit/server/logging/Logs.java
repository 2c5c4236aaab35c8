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

  /** The property by which SLF4J is told which logger to use. */
  private static final String PROVIDER = "slf4j.provider";

  /** The logger inside SLF4J itself that drops everything. */
  private static final String NOTHING = "org.slf4j.helpers.NOP_FallbackServiceProvider";

  /** SLF4J would tell of the choice on each start. */
  private static final String VERBOSITY = "slf4j.internal.verbosity";

  /** The same as in logback.xml, of which others on the class path may have one too. */
  private static final String CONFIGURATION =
      "<configuration><include resource='dev/postcommit/server/logging/log.xml'/></configuration>";

  /** A logger that nobody holds on to would forget its level. */
  private static final class Grpc {
    private static final Logger LOGGER = Logger.getLogger("io.grpc");
  }

  /** The driver tells of errors that it throws too, and that we tell of. */
  private static final class Driver {
    private static final String NAME = "org.postgresql";
    private static final Logger LOGGER = Logger.getLogger(NAME);
  }

  private Logs() {}

  /** Writes what all libraries have to say to one log, whichever way they log. */
  public static void gather() {
    System.setProperty(
        "org.apache.commons.logging.LogFactory", "org.apache.commons.logging.impl.Slf4jLogFactory");
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  /** Writes as the settings say from now on. */
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

  /** Leaves out what the database's driver tells, unless the settings ask for it. */
  public static void quietDriver() {
    Driver.LOGGER.setLevel(Level.OFF);
  }

  /** Leaves out what gRPC tells by means of its own when all is well. */
  public static void quietGrpc() {
    Grpc.LOGGER.setLevel(Level.WARNING);
  }

  /** Writes none, and spares the start of a short command the time to load a logger. */
  public static void switchOff() {
    if (System.getProperty(PROVIDER) == null) {
      System.setProperty(PROVIDER, NOTHING);
      System.setProperty(VERBOSITY, "WARN");
    }
  }
}
