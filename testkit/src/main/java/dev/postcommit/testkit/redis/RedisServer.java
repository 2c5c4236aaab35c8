package dev.postcommit.testkit.redis;

import dev.postcommit.testkit.process.ControlledServer;
import dev.postcommit.testkit.process.Ports;
import java.nio.file.Path;

/**
 * A real Redis in a process of its own on a free port of the loopback address, with its data in a
 * temporary directory.
 *
 * <p>The program is the one of the artifact {@code com.github.codemonstur:embedded-redis}, version
 * 6.2. Every write is on disk before it is answered, so nothing that was answered is lost by a
 * {@link #kill()}. Safe for use by many threads.
 */
public interface RedisServer extends ControlledServer {

  /** Starts a server with the default settings. */
  static RedisServer start() {
    return builder().start();
  }

  /**
   * The server that all tests of this JVM share, started by the first call. It ends with the JVM:
   * its {@link #close()} does nothing. Tests get their isolation from keys of their own; those that
   * stop or freeze the server start one of their own.
   */
  static RedisServer shared() {
    return ProcessRedisServer.shared();
  }

  /** A builder of a server with settings of its own. */
  static Builder builder() {
    return new ProcessRedisServer.BuilderImpl();
  }

  /** The port the server listens on, the same after a {@link #restart()}. */
  int port();

  /** The address clients connect to, as {@code redis://127.0.0.1:6379}. */
  default String url() {
    return "redis://" + Ports.HOST + ":" + port();
  }

  /**
   * The address clients with TLS connect to, as {@code rediss://127.0.0.1:6380}.
   *
   * @throws IllegalStateException if it has no {@linkplain Builder#tls certificate}
   */
  String tlsUrl();

  /** Collects the settings of a server. */
  interface Builder {

    /**
     * Sets one server setting, as in {@code redis.conf}. Default: Redis's own, but for {@code
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
