package dev.postcommit.testkit.process;

import java.nio.file.Path;
import java.util.Map;

/**
 * Starts JVMs that a test can kill or freeze, and ends them all on close.
 *
 * <p>They run with this JVM's Java and class path, unless told otherwise. They end with this JVM,
 * too, in whatever way it ends. Safe for use by many threads.
 */
public interface Processes extends AutoCloseable {

  /** A group of processes, none of them started yet. */
  static Processes create() {
    return new GuardedProcesses();
  }

  /** Starts a JVM that runs {@code main} with {@code arguments}. */
  default ChildProcess start(Class<?> main, String... arguments) {
    return java(main).arguments(arguments).start();
  }

  /** A builder of a JVM that runs {@code main}. */
  Builder java(Class<?> main);

  /**
   * Starts a program that is not of Java, as {@code node}; it ends as the JVMs do.
   *
   * @param directory where it works
   * @param environment variables of its environment, on top of this JVM's own
   * @param command the program and its arguments
   */
  ChildProcess start(Path directory, Map<String, String> environment, String... command);

  /** Kills the processes that are still running and removes their output. */
  @Override
  void close();

  /** Collects what a process is started with. */
  interface Builder {

    /** Adds arguments of the main method. */
    Builder arguments(String... arguments);

    /** Adds options of the JVM, as {@code -Xmx128m}. */
    Builder jvmOptions(String... options);

    /** Sets a variable of the environment, on top of this JVM's own. */
    Builder environment(String name, String value);

    /**
     * Leaves out of its class path where these classes come from, with all that is beside them: for
     * a process that is to do without the code of those who start it.
     */
    Builder without(Class<?>... classes);

    /**
     * Has the process write to a file of yours, as {@code /dev/full}, instead of one of its own. It
     * stays when the processes are closed.
     */
    Builder output(Path file);

    /** Starts the process. */
    ChildProcess start();
  }
}
