package dev.postcommit.testkit.process;

import java.nio.file.Path;
import java.util.Map;

/**
 * Starts JVMs that a test can kill or freeze, and ends them all on close.
 *
 * <p>By default they run with this JVM's Java and class path. They also end when this JVM ends,
 * however it ends. Safe for use by many threads.
 */
public interface Processes extends AutoCloseable {

  /** Creates a group without processes. */
  static Processes create() {
    return new GuardedProcesses();
  }

  /** Starts a JVM that runs {@code main} with {@code arguments}. */
  default ChildProcess start(Class<?> main, String... arguments) {
    return java(main).arguments(arguments).start();
  }

  /** Returns a builder of a JVM that runs {@code main}. */
  Builder java(Class<?> main);

  /**
   * Starts a program other than Java, such as {@code node}. It ends like the JVMs.
   *
   * @param directory its working directory
   * @param environment variables of its environment, on top of this JVM's own
   * @param command the program and its arguments
   */
  ChildProcess start(Path directory, Map<String, String> environment, String... command);

  /** Kills the processes that are still running and removes their output. */
  @Override
  void close();

  /** Collects the options of a process. */
  interface Builder {

    /** Adds arguments of the main method. */
    Builder arguments(String... arguments);

    /** Adds options of the JVM, such as {@code -Xmx128m}. */
    Builder jvmOptions(String... options);

    /** Sets a variable of the environment, on top of this JVM's own. */
    Builder environment(String name, String value);

    /**
     * Removes the jars or directories that contain these classes from its class path: for a process
     * that must work without the code that starts it.
     */
    Builder without(Class<?>... classes);

    /**
     * Writes the output to this file, for example {@code /dev/full}, instead of a temporary one.
     * The file is not deleted.
     */
    Builder output(Path file);

    /** Starts the process. */
    ChildProcess start();
  }
}
