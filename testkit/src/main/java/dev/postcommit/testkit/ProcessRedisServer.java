package dev.postcommit.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class ProcessRedisServer implements RedisServer {

  private static final Logger log = LoggerFactory.getLogger(ProcessRedisServer.class);

  private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);

  private static @Nullable RedisServer sharedServer;

  private final Guard guard;
  private final int port = Ports.free();
  private final List<String> command;
  private final boolean shared;

  private GuardedProcess process;
  private boolean closed;

  private ProcessRedisServer(Guard guard, Map<String, String> settings, boolean shared) {
    this.guard = guard;
    this.shared = shared;
    this.command = command(guard.directory(), settings);
    this.process = launch();
  }

  static synchronized RedisServer shared() {
    if (sharedServer == null) {
      sharedServer = new BuilderImpl().start(true);
    }
    return sharedServer;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public synchronized void stop() {
    process.end(Signal.TERM, STOP_TIMEOUT);
    log.info("Redis on port {} stopped", port);
  }

  @Override
  public synchronized void kill() {
    process.kill();
    log.info("Redis on port {} killed", port);
  }

  @Override
  public synchronized void restart() {
    if (closed) {
      throw new IllegalStateException("Redis on port " + port + " is closed");
    }
    process.end(Signal.TERM, STOP_TIMEOUT);
    process = launch();
  }

  @Override
  public synchronized void freeze() {
    process.signal(Signal.STOP);
  }

  @Override
  public synchronized void thaw() {
    process.signal(Signal.CONT);
  }

  @Override
  public synchronized void close() {
    if (!closed && !shared) {
      closed = true;
      // Its data goes too, so there is nothing to shut down cleanly for.
      process.kill();
      guard.close();
      log.info("Redis on port {} closed", port);
    }
  }

  private List<String> command(Path directory, Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("bind", Ports.HOST);
    all.put("port", Integer.toString(port));
    all.put("dir", directory.toString());
    all.put("appendonly", "yes");
    all.put("appendfsync", "always");
    all.putAll(settings);
    List<String> command = new ArrayList<>();
    command.add(RedisProgram.unpack(directory).toString());
    all.forEach((name, value) -> command.addAll(List.of("--" + name, value)));
    return List.copyOf(command);
  }

  private GuardedProcess launch() {
    long begin = System.nanoTime();
    GuardedProcess started =
        guard.run("redis", Signal.KILL, command, Map.of(), guard.directory().resolve("redis.log"));
    while (!serves()) {
      boolean ended = started.awaitExit(Duration.ofMillis(20));
      if (ended || System.nanoTime() - begin > START_TIMEOUT.toNanos()) {
        String tail = started.outputTail();
        started.kill();
        throw new IllegalStateException("Redis did not start on port " + port + ":\n" + tail);
      }
    }
    log.info("Redis serves port {} after {} ms", port, (System.nanoTime() - begin) / 1_000_000);
    return started;
  }

  /** Whether it answers; while it reads its data, it only listens. */
  private boolean serves() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(Ports.address(), port), 1_000);
      socket.setSoTimeout(1_000);
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readNBytes("+PONG".length());
      return new String(answer, StandardCharsets.US_ASCII).equals("+PONG");
    } catch (IOException e) {
      return false;
    }
  }

  static final class BuilderImpl implements Builder {

    private final Map<String, String> settings = new LinkedHashMap<>();

    @Override
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    @Override
    public RedisServer start() {
      return start(false);
    }

    private RedisServer start(boolean shared) {
      Guard guard = Guard.open("redis");
      try {
        return new ProcessRedisServer(guard, Map.copyOf(settings), shared);
      } catch (RuntimeException | Error e) {
        guard.close();
        throw e;
      }
    }
  }
}
