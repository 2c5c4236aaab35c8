package dev.postcommit.bench.own;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.bench.contender.BenchEvent;
import dev.postcommit.bench.contender.Contender;
import dev.postcommit.bench.contender.Description;
import dev.postcommit.bench.contender.Environment;
import dev.postcommit.bench.contender.Tables;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Postcommit with one of its layouts, all else as by default, its relay woken after each commit.
 */
final class PostcommitContender implements Contender {
  private static final String HOT_KEY = "hot";
  private static final Duration SLOWNESS = Duration.ofMillis(200);

  private final Environment environment;
  private final BenchLayout kind;
  private final boolean deleting;
  private final Layout layout;
  private final Outbox outbox;
  private final Supplier<Publisher> publishers;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final AtomicLong settled = new AtomicLong();
  private boolean hasHotKey;
  private @Nullable Publisher publisher;
  private volatile @Nullable Relay relay;

  PostcommitContender(
      Environment environment, BenchLayout kind, boolean deleting, Supplier<Publisher> publishers) {
    this.environment = environment;
    this.kind = kind;
    this.deleting = deleting;
    this.publishers = publishers;
    this.layout = deleting ? kind.layout().deletingOnDelivery() : kind.layout();
    this.outbox = Outbox.builder(layout).build();
    settings.put("layout", layout.name());
    settings.put("delivered rows", deleting ? "deleted" : "kept");
    settings.put("order", "per key");
    settings.put("all else", "as by default");
  }

  @Override
  public Environment environment() {
    return environment;
  }

  @Override
  public Description description() {
    return new Description("this source tree", settings);
  }

  @Override
  public void create() {
    OutboxMigration.migrate(environment.dataSource(), layout);
  }

  @Override
  public List<String> tables() {
    List<String> tables = new ArrayList<>(eventTables());
    layout.cursor().map(TableName::sql).ifPresent(tables::add);
    return tables;
  }

  /** The cursor of a log stays where it is. */
  @Override
  public void reset() throws Exception {
    Tables.truncate(environment.dataSource(), eventTables());
    hasHotKey = false;
  }

  private List<String> eventTables() {
    List<TableName> tables = new ArrayList<>(List.of(layout.table()));
    layout.failures().ifPresent(tables::add);
    layout.headers().ifPresent(tables::add);
    layout.diverted().map(Layout::table).ifPresent(tables::add);
    layout.diverted().orElse(layout).claims().ifPresent(tables::add);
    return tables.stream().map(TableName::sql).toList();
  }

  @Override
  public void inTransaction(Body body) throws Exception {
    Transactions.run(
        environment.dataSource(),
        body,
        connection -> events -> outbox.enqueueAll(connection, events(events)),
        this::wakeUp);
  }

  private void wakeUp() {
    Relay running = relay;
    if (running != null) {
      running.wakeUp();
    }
  }

  private List<Event> events(List<BenchEvent> events) {
    return events.stream()
        .map(event -> kind.event(event.key()).json(event.body()).build())
        .toList();
  }

  @Override
  public void start() {
    settled.set(0);
    Publisher broker = publishers.get();
    publisher = hasHotKey ? new SlowKey(broker, HOT_KEY, SLOWNESS) : broker;
    Relay started =
        Relay.builder(environment.dataSource(), publisher)
            .layout(layout)
            .router(event -> environment.topic())
            .listener(
                new RelayListener() {
                  @Override
                  public void settled(int events, Duration took) {
                    settled.addAndGet(events);
                  }
                })
            .build();
    started.start();
    relay = started;
  }

  @Override
  public long settled() {
    return settled.get();
  }

  @Override
  public void stop() {
    Relay running = relay;
    relay = null;
    if (running != null) {
      running.close();
    }
    if (publisher != null) {
      publisher.close();
      publisher = null;
    }
  }

  @Override
  public long dead() {
    return OutboxAdmin.of(environment.dataSource(), layout).countDead(DeadFilter.all());
  }

  /**
   * Where it stands after a relay has come to it: behind a failed event, or where it was written.
   */
  @Override
  public boolean addHotKey(Hold hold, int rows) throws Exception {
    if (deleting || (kind != BenchLayout.NATIVE && kind != BenchLayout.LOG)) {
      return false;
    }
    String table = (hold == Hold.STUCK ? layout.diverted().orElse(layout) : layout).table().sql();
    Tables.execute(
        environment.dataSource(),
        """
        INSERT INTO %s (id, topic, type, aggregate_type, aggregate_id, key, payload)
        SELECT uuidv7(), 'bench', 'bench', 'bench', '%s', '%s', convert_to(%s, 'UTF8')
        FROM generate_series(1, %d)
        """
            .formatted(table, HOT_KEY, HOT_KEY, Tables.HISTORIC_BODY, rows));
    if (hold == Hold.STUCK) {
      Tables.execute(
          environment.dataSource(),
          """
          UPDATE %s SET due_at = now() + interval '1 hour', attempts = 1, last_error = 'not now'
          WHERE seq = (SELECT min(seq) FROM %s)
          """
              .formatted(table, table));
    }
    hasHotKey = true;
    return true;
  }

  @Override
  public boolean addHistory(int rows) throws Exception {
    if (deleting || (kind != BenchLayout.NATIVE && kind != BenchLayout.LOG)) {
      return false;
    }
    boolean isNative = kind == BenchLayout.NATIVE;
    Tables.execute(
        environment.dataSource(),
        """
        INSERT INTO %s (id, topic, type, aggregate_type, aggregate_id, key, payload, created_at%s)
        SELECT uuidv7(), 'bench', 'bench', 'bench', k, k, convert_to(%s, 'UTF8'),
          now() - interval '1 hour'%s
        FROM (SELECT 'key-' || n %% 1000 AS k FROM generate_series(1, %d) n) past
        """
            .formatted(
                layout.table().sql(),
                isNative ? ", status, attempts, delivered_at" : "",
                Tables.HISTORIC_BODY,
                isNative ? ", 'delivered', 1, now() - interval '1 hour'" : "",
                rows));
    if (layout.cursor().isPresent()) {
      Tables.execute(
          environment.dataSource(),
          """
          UPDATE %s SET seen = pg_current_snapshot(), upto = NULL, position = 0,
            floor = (SELECT max(seq) FROM %s)
          """
              .formatted(layout.cursor().get().sql(), layout.table().sql()));
    }
    return true;
  }
}
