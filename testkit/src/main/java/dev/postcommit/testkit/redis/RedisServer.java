package dev.postcommit.testkit.redis;

import dev.postcommit.testkit.process.ControlledServer;
import dev.postcommit.testkit.process.Ports;
import java.nio.file.Path;

/**
 * A real Redis in a separate process on a free port of the loopback address, with its data in a
 * temporary directory.
 *
 * <p>The program is the one of the artifact {@code com.github.codemonstur:embedded-redis}, version
 * 6.2. Every write is on disk before it is answered, so a {@link #kill()} loses nothing that was
 * answered. Safe for use by many threads.
 */
public interface RedisServer extends ControlledServer {

  /** Starts a server with the default settings. */
  static RedisServer start() {
    return builder().start();
  }

  /**
   * Returns the server that all tests of this JVM share, started by the first call. It ends with
   * the JVM; {@link #close()} does nothing. Tests use keys of their own; a test that stops or
   * freezes the server starts its own.
   */
  static RedisServer shared() {
    return ProcessRedisServer.shared();
  }

  /** Returns a builder of a server with other settings. */
  static Builder builder() {
    return new ProcessRedisServer.BuilderImpl();
  }

  /** Returns the port it listens on, the same after a {@link #restart()}. */
  int port();

  /** Returns the URL for clients, such as {@code redis://127.0.0.1:6379}. */
  default String url() {
    return "redis://" + Ports.HOST + ":" + port();
  }

  /**
   * Returns the URL for clients with TLS, such as {@code rediss://127.0.0.1:6380}.
   *
   * @throws IllegalStateException if it has no {@linkplain Builder#tls certificate}
   */
  String tlsUrl();

  /** Collects the settings of a server. */
  interface Builder {

    /**
     * Sets one server setting, as in {@code redis.conf}. Default: Redis's own, except {@code
     * appendonly} yes and {@code appendfsync} always.
     */
    Builder setting(String name, String value);

    /**
     * Also listens for clients with TLS, on a port of its own; see {@link RedisServer#tlsUrl}.
     * Clients need a certificate too, unless {@code tls-auth-clients} is set to {@code no}.
     * Default: no TLS.
     *
     * @param certificate the server's certificate in PEM
     * @param key its key in PEM
     * @param authority the certificate, in PEM, of who signs those of clients
     */
    Builder tls(Path certificate, Path key, Path authority);

    /** Starts a server and returns when it serves clients. */
    RedisServer start();
  }
}
