package dev.postcommit.consumer;

import dev.postcommit.consumer.inbox.Begin;
import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.consumer.inbox.Mark;
import dev.postcommit.consumer.inbox.StoreUnavailableException;
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
 * Runs each handler between an in-progress mark and a confirmed one.
 *
 * <p>The marks of a batch are begun together. Each is completed as soon as its handler has
 * succeeded, and the next handler does not wait for the store's answer. So a crash can repeat an
 * effect only if it falls into the time that it takes to send one command. No message is
 * acknowledged before the answer is there.
 *
 * <p>A mark that could not be completed is kept in memory. When its message is handled again, only
 * the completion is repeated, not the handler.
 */
final class MarkingInbox extends InboxStrategy {
  private static final Logger log = LoggerFactory.getLogger(MarkingInbox.class);

  /** Handlers are started within this fraction of the in-progress time. */
  private static final int FRACTION = 4;

  private record Completion(
      PendingEvent event, Mark mark, CompletionStage<Boolean> answer, boolean repeated) {}

  private final IdempotencyStore store;
  private final Map<String, Mark> unconfirmed = new ConcurrentHashMap<>();

  MarkingInbox(IdempotencyStore store) {
    super(store);
    this.store = store;
  }

  @Override
  void handle(List<PendingEvent> events, BatchRun run) {
    run.limit(store.inProgressTime().dividedBy(FRACTION));
    List<Completion> completions = new ArrayList<>();
    List<PendingEvent> unhandled = new ArrayList<>();
    for (PendingEvent event : events) {
      Mark mark = unconfirmed.get(event.id());
      if (mark == null) {
        unhandled.add(event);
      } else {
        completions.add(complete(event, mark, true));
      }
    }
    List<Mark> unused = new ArrayList<>();
    try {
      if (!unhandled.isEmpty()) {
        begin(unhandled, run, completions, unused);
      }
    } catch (StoreUnavailableException e) {
      run.unavailable(unhandled, OutcomeMapping.text(e));
    }
    confirm(completions, run);
    abandon(unused);
  }

  private void begin(
      List<PendingEvent> events, BatchRun run, List<Completion> completions, List<Mark> unused) {
    List<Begin> begins =
        store.begin(run.consumer(), events.stream().map(PendingEvent::id).toList());
    run.available();
    for (int i = 0; i < begins.size(); i++) {
      PendingEvent event = events.get(i);
      Begin begin = begins.get(i);
      if (begin instanceof Begin.Proceed proceed) {
        if (run.mayStart(event) && isHandled(event, run)) {
          completions.add(complete(event, proceed.mark(), false));
        } else {
          unused.add(proceed.mark());
        }
      } else if (begin instanceof Begin.Duplicate) {
        run.duplicate(event);
      } else {
        run.inProgress(event);
      }
    }
  }

  private static boolean isHandled(PendingEvent event, BatchRun run) {
    Optional<Throwable> error = run.call(event, null);
    error.ifPresent(e -> run.failed(event, e));
    return error.isEmpty();
  }

  private Completion complete(PendingEvent event, Mark mark, boolean repeated) {
    CompletionStage<Boolean> answer;
    try {
      answer = store.complete(mark);
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return new Completion(event, mark, answer, repeated);
  }

  private void confirm(List<Completion> completions, BatchRun run) {
    for (Completion completion : completions) {
      PendingEvent event = completion.event();
      Mark mark = completion.mark();
      try {
        boolean ours = completion.answer().toCompletableFuture().join();
        // A completion whose answer was lost may have taken place: then the mark is gone, too.
        if (!ours && !completion.repeated()) {
          logLostMark(event);
        }
        unconfirmed.remove(mark.eventId());
        run.done(event);
      } catch (CompletionException e) {
        unconfirmed.put(mark.eventId(), mark);
        Throwable cause = e.getCause() == null ? e : e.getCause();
        run.unavailable(List.of(event), OutcomeMapping.text(cause));
      }
    }
  }

  private void logLostMark(PendingEvent event) {
    EventLogContext.of(
        event.event(),
        () ->
            log.error(
                "event_id={} was handled longer than its mark lived ({}), and another has begun to"
                    + " handle it: its effect may have happened twice; raise the in-progress time",
                LogText.line(event.id()),
                DurationText.spoken(store.inProgressTime())));
  }

  /** Marks that cannot be abandoned expire. */
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
