package dev.postcommit.testkit.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Free ports of the loopback address.
 *
 * <p>They are below the ephemeral range. Otherwise a client that keeps connecting to a server that
 * is down could be given the server's port, connect to itself and keep the server from coming back.
 *
 * <p>Another process may take a port after it was found free. To make that rare among the JVMs of
 * one build, each searches its own part of the range, and offers no port twice before all others of
 * that part.
 */
public final class Ports {

  public static final String HOST = "127.0.0.1";

  private static final int LOWEST = 15_000;
  private static final int PARTS = 17;
  private static final int PART = 1_000;

  private static final int FIRST = LOWEST + PART * (int) (ProcessHandle.current().pid() % PARTS);

  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(PART));

  private Ports() {}

  public static int free() {
    for (int attempt = 0; attempt < PART; attempt++) {
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), PART);
      try (ServerSocket socket = new ServerSocket(port, 1, address())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        // Taken: try another.
      }
    }
    throw new IllegalStateException("No free port on " + HOST);
  }

  public static boolean listening(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address(), port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  public static InetAddress address() throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
  }
}
