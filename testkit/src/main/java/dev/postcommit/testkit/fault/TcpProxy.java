package dev.postcommit.testkit.fault;

import dev.postcommit.testkit.process.Ports;

/**
 * A stretch of network before a server of this machine, which can lose replies: the server has done
 * what it was asked for, and the client is never told.
 */
public final class TcpProxy implements AutoCloseable {
  private final int port = Ports.free();
  private final TcpRelay relay;

  private TcpProxy(int target) {
    relay = new TcpRelay(port, target);
    relay.open();
  }

  /** A proxy that passes everything on to this port. */
  public static TcpProxy to(int port) {
    return new TcpProxy(port);
  }

  /** The address to connect to. */
  public String host() {
    return Ports.HOST;
  }

  /** The port to connect to. */
  public int port() {
    return port;
  }

  /**
   * Loses all replies from when a client sends this text, until it is healed; what clients send
   * arrives.
   *
   * @param text in ASCII
   */
  public void loseRepliesTo(String text) {
    relay.loseRepliesTo(text);
  }

  /** Loses nothing any more. Connections, which may have missed a reply, are closed. */
  public void heal() {
    relay.heal();
  }

  /** Breaks all connections, and takes no new ones. */
  @Override
  public void close() {
    relay.close();
  }
}
