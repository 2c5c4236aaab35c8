package dev.postcommit.testkit.pooler;

import dev.postcommit.testkit.PostgresDatabase;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.relay.RandomOrder;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/** Relays that deliver through a pooler, while deliveries fail at random. */
class PooledRelayIT {
  abstract static class Pooled extends RandomOrder {
    private @Nullable Bounced bounced;

    Pooled(LayoutSample sample) {
      super(sample);
    }

    @Override
    protected DataSource connectRelays(PostgresDatabase to) {
      bounced = Bounced.to(to);
      return bounced.dataSource();
    }

    @AfterAll
    final void closePool() {
      if (bounced != null) {
        bounced.close();
      }
    }
  }

  @Nested
  class Native extends Pooled {
    Native() {
      super(Samples.NATIVE);
    }
  }

  @Nested
  class Log extends Pooled {
    Log() {
      super(Samples.LOG);
    }
  }

  @Nested
  class Modkit extends Pooled {
    Modkit() {
      super(Samples.MODKIT);
    }
  }

  @Nested
  class Logistik extends Pooled {
    Logistik() {
      super(Samples.LOGISTIK);
    }
  }
}
