package dev.postcommit.testkit.pooler;

import dev.postcommit.testkit.PostgresDatabase;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.OrderContract;
import dev.postcommit.testkit.contract.Samples;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/** Order per key through a pooler. */
class PooledOrderIT {
  abstract static class Pooled extends OrderContract {
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
