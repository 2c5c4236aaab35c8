package dev.postcommit.examples.minichat;

import dev.postcommit.examples.minichat.chat.Finalised;
import dev.postcommit.examples.minichat.chat.Reservation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the traffic was told, counted by those who were told. */
final class Tally {
  enum Told {
    RESERVED,
    INVALID,
    OVER_QUOTA,
    REPEATED,
    SETTLED,
    ALREADY_ENQUEUED,
    ALREADY_FINAL
  }

  private final Map<Told, Integer> counts = new ConcurrentHashMap<>();

  void count(Reservation reservation) {
    if (reservation instanceof Reservation.Reserved) {
      count(Told.RESERVED);
    } else if (reservation instanceof Reservation.Invalid) {
      count(Told.INVALID);
    } else if (reservation instanceof Reservation.OverQuota) {
      count(Told.OVER_QUOTA);
    } else {
      count(Told.REPEATED);
    }
  }

  void count(Finalised finalised) {
    if (finalised instanceof Finalised.Settled) {
      count(Told.SETTLED);
    } else if (finalised instanceof Finalised.AlreadyEnqueued) {
      count(Told.ALREADY_ENQUEUED);
    } else {
      count(Told.ALREADY_FINAL);
    }
  }

  private void count(Told told) {
    counts.merge(told, 1, Integer::sum);
  }

  int of(Told told) {
    return counts.getOrDefault(told, 0);
  }
}
