package dev.postcommit.kafka;

import dev.postcommit.support.Daemons;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The publisher's own threads: daemons that start when there is work and end when there is none.
 *
 * <p>Each kind of work has its own thread, because each blocks for a different reason. Waiting for
 * a missing topic must not delay an existing one, and neither may delay a deadline.
 */
final class PublisherThreads implements AutoCloseable {
  private static final Duration IDLE = Duration.ofSeconds(5);

  private final ScheduledThreadPoolExecutor answers;
  private final ThreadPoolExecutor learner;
  private final ThreadPoolExecutor creator;
  private final ThreadPoolExecutor closer;

  PublisherThreads(String name) {
    answers = new ScheduledThreadPoolExecutor(1, Daemons.named(name + "-answers"));
    answers.setRemoveOnCancelPolicy(true);
    answers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    learner = single(name + "-topics");
    creator = single(name + "-missing-topics");
    closer = single(name + "-closer");
    answers.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    endWhenIdle(answers);
  }

  /** Passes answers on. */
  Executor answers() {
    return answers;
  }

  /** Runs work after a delay. */
  void later(Runnable work, Duration delay) {
    var unused = answers.schedule(work, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Runs work that waits for the metadata of an existing topic. */
  void learn(Runnable work) {
    learner.execute(work);
  }

  /** Runs work that waits for a topic to be created. */
  void create(Runnable work) {
    creator.execute(work);
  }

  /** Runs work that waits for a producer to close. */
  void retire(Runnable work) {
    closer.execute(work);
  }

  @Override
  public void close() {
    for (ThreadPoolExecutor pool : new ThreadPoolExecutor[] {closer, creator, learner}) {
      pool.shutdownNow();
    }
    answers.shutdown();
  }

  private static ThreadPoolExecutor single(String name) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            Daemons.named(name),
            new ThreadPoolExecutor.DiscardPolicy());
    endWhenIdle(pool);
    return pool;
  }

  private static void endWhenIdle(ThreadPoolExecutor pool) {
    pool.setKeepAliveTime(IDLE.toMillis(), TimeUnit.MILLISECONDS);
    pool.allowCoreThreadTimeOut(true);
  }
}
