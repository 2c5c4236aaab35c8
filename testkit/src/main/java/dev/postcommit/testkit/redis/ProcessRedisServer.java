package dev.postcommit.testkit.redis;

import dev.postcommit.testkit.process.Guard;
import dev.postcommit.testkit.process.GuardedProcess;
import dev.postcommit.testkit.process.Ports;
import dev.postcommit.testkit.process.ProcessServer;
import dev.postcommit.testkit.process.Signal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class ProcessRedisServer extends ProcessServer implements RedisServer {

  private static final String TLS_PORT = "tls-port";

  private static @Nullable RedisServer sharedServer;

  private final List<String> command;
  private final @Nullable String tlsPort;

  private ProcessRedisServer(Guard guard, Map<String, String> settings, boolean shared) {
    super("Redis", guard, shared);
    this.tlsPort = settings.get(TLS_PORT);
    this.command = command(guard.directory(), settings);
  }

  static synchronized RedisServer shared() {
    if (sharedServer == null) {
      sharedServer = new BuilderImpl().start(true);
    }
    return sharedServer;
  }

  private List<String> command(Path directory, Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("bind", Ports.HOST);
    all.put("port", Integer.toString(port()));
    all.put("dir", directory.toString());
    all.put("appendonly", "yes");
    all.put("appendfsync", "always");
    all.putAll(settings);
    List<String> command = new ArrayList<>();
    command.add(RedisProgram.unpack(directory).toString());
    all.forEach((name, value) -> command.addAll(List.of("--" + name, value)));
    return List.copyOf(command);
  }

  @Override
  public String tlsUrl() {
    if (tlsPort == null) {
      throw new IllegalStateException("this Redis has no certificate; give it one with tls(…)");
    }
    return "rediss://" + Ports.HOST + ":" + tlsPort;
  }

  @Override
  protected GuardedProcess run(Guard in) {
    Path log = in.directory().resolve("redis.log");
    return in.run("redis", Signal.KILL, command, Map.of(), log);
  }

  /** Returns whether it answers; while it loads its data, it only listens. */
  @Override
  protected boolean serves() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(Ports.address(), port()), 1_000);
      socket.setSoTimeout(1_000);
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] bytes = socket.getInputStream().readNBytes("+PONG".length());
      String answer = new String(bytes, StandardCharsets.US_ASCII);
      // With a list of users, it requires a login first.
      return answer.equals("+PONG") || answer.equals("-NOAU");
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
    public Builder tls(Path certificate, Path key, Path authority) {
      return setting(TLS_PORT, Integer.toString(Ports.free()))
          .setting("tls-cert-file", certificate.toString())
          .setting("tls-key-file", key.toString())
          .setting("tls-ca-cert-file", authority.toString());
    }

    @Override
    public RedisServer start() {
      return start(false);
    }

    private RedisServer start(boolean shared) {
      Guard guard = Guard.open("redis");
      try {
        ProcessRedisServer server = new ProcessRedisServer(guard, Map.copyOf(settings), shared);
        server.launch();
        return server;
      } catch (RuntimeException | Error e) {
        guard.close();
        throw e;
      }
    }
  }
}
