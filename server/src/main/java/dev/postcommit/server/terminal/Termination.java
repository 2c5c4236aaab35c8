package dev.postcommit.server.terminal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Turns the signals that end a process into a request that a command answers in its own time.
 *
 * <p>A JVM that gets SIGTERM or SIGINT runs its shutdown hooks and exits with a code above 128. The
 * hook here makes the request, waits for the command to return, and ends the JVM with the command's
 * own exit code.
 */
public final class Termination {
  private final boolean ofProcess;
  private volatile boolean isRequested;
  private final CountDownLatch requested = new CountDownLatch(1);
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final AtomicBoolean armed = new AtomicBoolean();

  private Termination(boolean ofProcess) {
    this.ofProcess = ofProcess;
  }

  /** The termination of this process. */
  static Termination ofProcess() {
    return new Termination(true);
  }

  /** A termination that is never requested, for commands in a process of others. */
  public static Termination never() {
    return new Termination(false);
  }

  /**
   * From now on a signal is a request, and the JVM waits up to {@code patience} for the command to
   * return. Until then a signal ends the process at once, as is right for a short command.
   *
   * @param onRequest is run when the request comes, before anybody who awaits it goes on
   */
  public void arm(Duration patience, Runnable onRequest) {
    if (ofProcess && armed.compareAndSet(false, true)) {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> shutDown(patience, onRequest), "postcommit-shutdown"));
    }
  }

  /** Whether termination is requested. */
  public boolean isRequested() {
    return isRequested;
  }

  /** Waits until termination is requested. */
  public void await() throws InterruptedException {
    requested.await();
  }

  /** Waits until termination is requested, at most {@code time}; returns whether it is. */
  public boolean await(Duration time) throws InterruptedException {
    return requested.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Ends the process with the command's exit code. */
  public void exit(int code) {
    exitCode.complete(code);
    System.exit(code);
  }

  private void shutDown(Duration patience, Runnable onRequest) {
    if (!exitCode.isDone()) {
      isRequested = true;
      onRequest.run();
      requested.countDown();
      Runtime.getRuntime().halt(awaitExitCode(patience));
    }
  }

  private int awaitExitCode(Duration patience) {
    try {
      return exitCode.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      return ExitCode.FAILED;
    }
  }
}
