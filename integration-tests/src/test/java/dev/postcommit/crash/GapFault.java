package dev.postcommit.crash;

import java.time.Duration;

/** A fault after which keys may be silent for a while, and for how long. */
enum GapFault {
  KILL("SIGKILL of a relay") {
    @Override
    Duration limit(CrashTable table) {
      // The database itself ends at once what the relay held; PackFinderz' relays poll seldom.
      Duration held = table.equals(CrashTable.PACKFINDERZ) ? HELD.plus(SELDOM_POLL) : HELD;
      return table.layout().isHeld() ? held : LIMIT;
    }

    @Override
    long strike(GapScene scene) {
      return scene.killTheRelayThatWorks();
    }
  },
  POSTGRES("restart of Postgres") {
    @Override
    long strike(GapScene scene) {
      return scene.crashPostgres();
    }
  },
  KAFKA("restart of Kafka") {
    @Override
    long strike(GapScene scene) {
      return scene.crashKafka();
    }
  },
  POSTGRES_THEN_KAFKA("restart of Postgres, then of Kafka") {
    @Override
    long strike(GapScene scene) {
      scene.crashPostgres();
      return scene.crashKafka();
    }
  },
  FREEZE("SIGSTOP of a relay, lease " + GapScene.SHORT_LEASE.toSeconds() + " s") {
    @Override
    Duration limit(CrashTable table) {
      return GapScene.SHORT_LEASE.plus(LIMIT);
    }

    @Override
    long strike(GapScene scene) {
      return scene.freezeTheRelayThatWorks();
    }
  };

  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final Duration HELD = Duration.ofMillis(300);
  private static final Duration SELDOM_POLL = Duration.ofMillis(500);

  private final String title;

  GapFault(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** The longest that a key may be silent. */
  Duration limit(CrashTable table) {
    return LIMIT;
  }

  /** Lets it happen; returns the time from which silence counts. */
  abstract long strike(GapScene scene);
}
