package dev.postcommit.consumer;

import dev.postcommit.support.DurationText;
import dev.postcommit.support.LogText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs handlers between an in-progress mark and a confirmed one.
 *
 * <p>The marks of a batch are begun together. Each is completed as soon as its handler has
 * succeeded, without waiting for the store's answer before the next handler runs: the time in which
 * a crash would let the effect happen again is that of sending one command. No message is
 * acknowledged before the answer is there.
 *
 * <p>A mark that could not be completed is kept in memory. When its message is given again, only
 * the completion is repeated, not the handler.
 */
final class MarkingInbox extends StoreInbox {
  private static final Logger log = LoggerFactory.getLogger(MarkingInbox.class);

  /** Of the in-progress time, the part in which handlers are started. */
  private static final int PART = 4;

  private record Completion(
      Task task, Mark mark, CompletionStage<Boolean> answer, boolean repeated) {}

  private final IdempotencyStore store;
  private final Map<String, Mark> unconfirmed = new ConcurrentHashMap<>();

  MarkingInbox(IdempotencyStore store) {
    super(store);
    this.store = store;
  }

  @Override
  void handle(List<Task> tasks, Round round) {
    round.limit(store.inProgressTime().dividedBy(PART));
    List<Completion> completions = new ArrayList<>();
    List<Task> unhandled = new ArrayList<>();
    for (Task task : tasks) {
      Mark mark = unconfirmed.get(task.id());
      if (mark == null) {
        unhandled.add(task);
      } else {
        completions.add(complete(task, mark, true));
      }
    }
    List<Mark> unused = new ArrayList<>();
    try {
      if (!unhandled.isEmpty()) {
        begin(unhandled, round, completions, unused);
      }
    } catch (StoreUnavailableException e) {
      round.unavailable(unhandled, Verdicts.text(e));
    }
    confirm(completions, round);
    abandon(unused);
  }

  private void begin(
      List<Task> tasks, Round round, List<Completion> completions, List<Mark> unused) {
    List<Begin> begins = store.begin(round.consumer(), tasks.stream().map(Task::id).toList());
    round.available();
    for (int i = 0; i < begins.size(); i++) {
      Task task = tasks.get(i);
      Begin begin = begins.get(i);
      if (begin instanceof Begin.Proceed proceed) {
        if (round.mayStart(task) && isHandled(task, round)) {
          completions.add(complete(task, proceed.mark(), false));
        } else {
          unused.add(proceed.mark());
        }
      } else if (begin instanceof Begin.Duplicate) {
        round.duplicate(task);
      } else {
        round.inProgress(task);
      }
    }
  }

  private static boolean isHandled(Task task, Round round) {
    Optional<Throwable> error = round.call(task, null);
    error.ifPresent(e -> round.failed(task, e));
    return error.isEmpty();
  }

  private Completion complete(Task task, Mark mark, boolean repeated) {
    CompletionStage<Boolean> answer;
    try {
      answer = store.complete(mark);
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return new Completion(task, mark, answer, repeated);
  }

  private void confirm(List<Completion> completions, Round round) {
    for (Completion completion : completions) {
      Task task = completion.task();
      Mark mark = completion.mark();
      try {
        boolean ours = completion.answer().toCompletableFuture().join();
        // A completion whose answer was lost may have taken place: then the mark is gone, too.
        if (!ours && !completion.repeated()) {
          lostMark(task);
        }
        unconfirmed.remove(mark.eventId());
        round.done(task);
      } catch (CompletionException e) {
        unconfirmed.put(mark.eventId(), mark);
        Throwable cause = e.getCause() == null ? e : e.getCause();
        round.unavailable(List.of(task), Verdicts.text(cause));
      }
    }
  }

  private void lostMark(Task task) {
    EventContext.of(
        task.event(),
        () ->
            log.error(
                "event_id={} was handled longer than its mark lived ({}), and another has begun to"
                    + " handle it: its effect may have happened twice; raise the in-progress time",
                LogText.line(task.id()),
                DurationText.spoken(store.inProgressTime())));
  }

  /** What cannot be abandoned expires. */
  private void abandon(List<Mark> marks) {
    try {
      if (!marks.isEmpty()) {
        store.abandon(marks);
      }
    } catch (StoreUnavailableException e) {
      log.debug("{} marks are left to expire", marks.size(), e);
    }
  }
}
