package dev.postcommit.server;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Decides whether this process writes logs. */
public final class Logs {

  /** The property by which SLF4J is told which logger to use. */
  private static final String PROVIDER = "slf4j.provider";

  /** The logger inside SLF4J itself that drops everything. */
  private static final String NOTHING = "org.slf4j.helpers.NOP_FallbackServiceProvider";

  /** SLF4J would tell of the choice on each start. */
  private static final String VERBOSITY = "slf4j.internal.verbosity";

  /** A logger that nobody holds on to would forget its level. */
  private static final class Grpc {
    private static final Logger LOGGER = Logger.getLogger("io.grpc");
  }

  private Logs() {}

  /** Leaves out what gRPC tells by means of its own when all is well. */
  public static void quietGrpc() {
    Grpc.LOGGER.setLevel(Level.WARNING);
  }

  /** Writes none, and spares the start of a short command the time to load a logger. */
  static void switchOff() {
    if (System.getProperty(PROVIDER) == null) {
      System.setProperty(PROVIDER, NOTHING);
      System.setProperty(VERBOSITY, "WARN");
    }
  }
}
