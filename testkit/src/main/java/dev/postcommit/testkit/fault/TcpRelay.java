package dev.postcommit.testkit.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postcommit.testkit.process.Ports;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Passes connections on to a port of the loopback address, as they are. Clients see what they would
 * see of a network that is cut or silent, which a server that shuts down does not show them: it
 * still takes leave.
 */
public final class TcpRelay implements AutoCloseable {

  private final int port;
  private final int target;
  private final Set<Socket> sockets = new HashSet<>();
  private @Nullable ServerSocket listener;
  private @Nullable Thread acceptor;
  private boolean frozen;
  private @Nullable String awaited;
  private boolean losing;

  /** Will listen on {@code port} once it is opened. */
  public TcpRelay(int port, int target) {
    this.port = port;
    this.target = target;
  }

  /** Listens, if it does not. */
  public synchronized void open() {
    if (listener != null) {
      return;
    }
    try {
      ServerSocket opened = new ServerSocket();
      opened.setReuseAddress(true);
      opened.bind(new InetSocketAddress(Ports.address(), port));
      listener = opened;
      acceptor = start(() -> accept(opened));
    } catch (IOException e) {
      throw new UncheckedIOException("Could not listen on " + Ports.HOST + ":" + port, e);
    }
  }

  /** Breaks all connections, and takes no new ones. */
  @Override
  public void close() {
    @Nullable Thread accepting;
    synchronized (this) {
      accepting = acceptor;
      acceptor = null;
      if (listener != null) {
        close(listener);
        listener = null;
      }
      Set.copyOf(sockets).forEach(this::cut);
      notifyAll();
    }
    if (accepting != null) {
      awaitEnd(accepting);
    }
  }

  /** As long as a thread waits for connections, the system goes on taking some. */
  private static void awaitEnd(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public synchronized void freeze() {
    frozen = true;
  }

  public synchronized void thaw() {
    frozen = false;
    notifyAll();
  }

  /** Loses what services say, from when a client has said this; what clients say arrives. */
  synchronized void loseRepliesTo(String text) {
    awaited = text;
  }

  /** Loses nothing any more; connections of which something may be lost are closed in order. */
  synchronized void heal() {
    awaited = null;
    if (losing) {
      losing = false;
      Set.copyOf(sockets).forEach(TcpRelay::close);
      sockets.clear();
    }
  }

  private synchronized boolean loses(byte[] bytes, int length, boolean isReply) {
    if (isReply) {
      return losing;
    }
    losing |= awaited != null && new String(bytes, 0, length, ISO_8859_1).contains(awaited);
    return false;
  }

  private void accept(ServerSocket from) {
    try {
      while (true) {
        connect(from, from.accept());
      }
    } catch (IOException e) {
      // Closed: there is nothing to accept any more.
    }
  }

  /** Does so under the lock: so no connection escapes a {@link #close()}. */
  private synchronized void connect(ServerSocket from, Socket client) {
    sockets.add(client);
    try {
      if (from.isClosed()) {
        throw new IOException("closed");
      }
      Socket service = new Socket(Ports.address(), target);
      sockets.add(service);
      client.setTcpNoDelay(true);
      service.setTcpNoDelay(true);
      start(() -> pass(client, service, false));
      start(() -> pass(service, client, true));
    } catch (IOException e) {
      cut(client);
    }
  }

  private void pass(Socket from, Socket to, boolean isReply) {
    byte[] bytes = new byte[65_536];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int read = in.read(bytes); read >= 0 && goesOn(from); read = in.read(bytes)) {
        if (!loses(bytes, read, isReply)) {
          out.write(bytes, 0, read);
        }
      }
    } catch (IOException e) {
      // One of them is gone, and so is the other then.
    }
    synchronized (this) {
      cut(from);
      cut(to);
    }
  }

  /** Waits while it is frozen; says whether the connection is still there then. */
  private synchronized boolean goesOn(Socket socket) {
    try {
      while (frozen && sockets.contains(socket)) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return sockets.contains(socket);
  }

  /** Ends a connection without leave: what was not read is lost. */
  private void cut(Socket socket) {
    sockets.remove(socket);
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // It is closed already.
    }
    close(socket);
  }

  private static void close(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Thread start(Runnable task) {
    Thread thread = new Thread(task, "tcp-relay");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
