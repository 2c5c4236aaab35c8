package dev.postcommit.testkit.process;

/** A server in a process of its own, which a test can stop, kill and freeze. */
public interface ControlledServer extends AutoCloseable {

  /** Shuts the server down cleanly. */
  void stop();

  /** Ends the server at once, by SIGKILL. */
  void kill();

  /**
   * Starts the server on the same ports with the same data, after a clean stop if it is running,
   * and returns when it serves clients.
   */
  void restart();

  /** Freezes the server, by SIGSTOP: connections stay open and nothing answers. */
  void freeze();

  /** Lets a frozen server go on. */
  void thaw();

  /** Ends the server and removes its directory; does nothing to one that all tests share. */
  @Override
  void close();
}
