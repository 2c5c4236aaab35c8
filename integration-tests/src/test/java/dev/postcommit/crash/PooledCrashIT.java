package dev.postcommit.crash;

import dev.postcommit.testkit.contract.Programs;
import dev.postcommit.testkit.postgres.PgBouncer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Crashes of relays that reach the database through a pooler. */
class PooledCrashIT {
  @BeforeAll
  static void requirePooler() {
    Programs.require(PgBouncer.missing());
  }

  @Nested
  class Native extends Crashes {
    Native() {
      super(CrashTable.NATIVE, CrashKafka::new, true);
    }
  }

  @Nested
  class Log extends Crashes {
    Log() {
      super(CrashTable.LOG, CrashKafka::new, true);
    }
  }

  @Nested
  class Modkit extends Crashes {
    Modkit() {
      super(CrashTable.MODKIT, CrashKafka::new, true);
    }
  }

  @Nested
  class Logistik extends Crashes {
    Logistik() {
      super(CrashTable.LOGISTIK, CrashKafka::new, true);
    }
  }
}
