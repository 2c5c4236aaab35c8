package dev.postcommit.pooler;

import dev.postcommit.relay.RandomOrder;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.OrderContract;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.StoreContract;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;

/** The contracts of stores and relays, through a pooler. */
class PooledContractsIT {

  /** Order per key. */
  abstract static class Order extends OrderContract {
    Order(LayoutSample sample) {
      super(sample);
    }

    @Override
    protected DataSource connectRelays(PostgresDatabase to) {
      return Bounced.to(to).dataSource();
    }
  }

  /** Claiming and settling. */
  abstract static class Store extends StoreContract {
    Store(LayoutSample sample) {
      super(sample);
    }

    @Override
    protected DataSource connectRelays(PostgresDatabase to) {
      return Bounced.to(to).dataSource();
    }
  }

  /** Relays that deliver while deliveries fail at random. */
  abstract static class Relay extends RandomOrder {
    Relay(LayoutSample sample) {
      super(sample);
    }

    @Override
    protected DataSource connectRelays(PostgresDatabase to) {
      return Bounced.to(to).dataSource();
    }
  }

  @Nested
  class NativeOrder extends Order {
    NativeOrder() {
      super(Samples.NATIVE);
    }
  }

  @Nested
  class NativeStore extends Store {
    NativeStore() {
      super(Samples.NATIVE);
    }
  }

  @Nested
  class NativeRelay extends Relay {
    NativeRelay() {
      super(Samples.NATIVE);
    }
  }

  @Nested
  class LogOrder extends Order {
    LogOrder() {
      super(Samples.LOG);
    }
  }

  @Nested
  class LogStore extends Store {
    LogStore() {
      super(Samples.LOG);
    }
  }

  @Nested
  class LogRelay extends Relay {
    LogRelay() {
      super(Samples.LOG);
    }
  }

  @Nested
  class ModkitOrder extends Order {
    ModkitOrder() {
      super(Samples.MODKIT);
    }
  }

  @Nested
  class ModkitStore extends Store {
    ModkitStore() {
      super(Samples.MODKIT);
    }
  }

  @Nested
  class ModkitRelay extends Relay {
    ModkitRelay() {
      super(Samples.MODKIT);
    }
  }

  @Nested
  class LogistikOrder extends Order {
    LogistikOrder() {
      super(Samples.LOGISTIK);
    }
  }

  @Nested
  class LogistikStore extends Store {
    LogistikStore() {
      super(Samples.LOGISTIK);
    }
  }

  @Nested
  class LogistikRelay extends Relay {
    LogistikRelay() {
      super(Samples.LOGISTIK);
    }
  }
}
