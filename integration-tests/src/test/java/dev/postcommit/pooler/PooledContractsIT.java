package dev.postcommit.pooler;

import dev.postcommit.relay.RandomOrder;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.OrderContract;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.StoreContract;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/** The contracts of stores and relays, through a pooler. */
@ParameterizedClass(name = "{0}")
@FieldSource("LAYOUTS")
record PooledContractsIT(LayoutSample sample) {
  static final List<LayoutSample> LAYOUTS =
      List.of(Samples.NATIVE, Samples.LOG, Samples.MODKIT, Samples.LOGISTIK);

  /** Order per key. */
  @Nested
  class Order extends OrderContract {
    Order() {
      super(sample);
    }

    @Override
    protected DataSource connectRelays(PostgresDatabase to) {
      return Bounced.to(to).dataSource();
    }
  }

  /** Claiming and settling. */
  @Nested
  class Store extends StoreContract {
    Store() {
      super(sample);
    }

    @Override
    protected DataSource connectRelays(PostgresDatabase to) {
      return Bounced.to(to).dataSource();
    }
  }

  /** Relays that deliver while deliveries fail at random. */
  @Nested
  class Relay extends RandomOrder {
    Relay() {
      super(sample);
    }

    @Override
    protected DataSource connectRelays(PostgresDatabase to) {
      return Bounced.to(to).dataSource();
    }
  }
}
