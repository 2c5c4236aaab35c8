package dev.postcommit.consumer;

import java.util.List;

/** Handles whatever comes. */
final class NoInbox extends Inbox {

  @Override
  void handle(List<Task> tasks, Round round) {
    for (Task task : tasks) {
      if (round.mayStart(task)) {
        round.call(task, null).ifPresentOrElse(e -> round.failed(task, e), () -> round.done(task));
      }
    }
  }
}
