package dev.postcommit.testkit.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.Event;
import dev.postcommit.RetryPolicy;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LayoutSettings;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.Lifecycle.Status;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

/** The layouts that are tested. */
public final class Samples {
  /** The native layout. */
  public static final LayoutSample NATIVE = natively(Layout.nativeTable());

  /** The log. */
  public static final LayoutSample LOG = natively(Layout.log());

  /** The native layout without delivered rows. */
  public static final LayoutSample NATIVE_DELETING =
      natively(Layout.nativeTable().deletingOnDelivery()).named("native, deleting");

  /** The modkit layout. */
  public static final LayoutSample MODKIT = modkit(Layout.preset("modkit"));

  /** The modkit layout without delivered rows. */
  public static final LayoutSample MODKIT_DELETING =
      modkit(Layout.preset("modkit").deletingOnDelivery()).named("modkit, deleting");

  /** Logistik's layout. */
  public static final LayoutSample LOGISTIK = aggregated(Layout.preset("logistik"));

  /** Logistik's layout without delivered rows. */
  public static final LayoutSample LOGISTIK_DELETING =
      aggregated(Layout.preset("logistik").deletingOnDelivery()).named("logistik, deleting");

  /** PackFinderz' layout, with as many attempts as the contracts allow. */
  public static final LayoutSample PACKFINDERZ =
      aggregated(
          Layout.preset("packfinderz")
              .withRetryPolicy(RetryPolicy.DEFAULT.withMaxAttempts(LayoutFixture.MAX_ATTEMPTS)));

  /** PolyShop's layout. */
  public static final LayoutSample POLYSHOP = polyShop(Layout.preset("polyshop"));

  /** PolyShop's layout without delivered rows. */
  public static final LayoutSample POLYSHOP_DELETING =
      polyShop(Layout.preset("polyshop").deletingOnDelivery()).named("polyshop, deleting");

  /** PolyShop's layout with dead rows marked processed. */
  public static final LayoutSample POLYSHOP_MARKING =
      polyShop(Layout.preset("polyshop").withLifecycle(new ProcessedFlag(true, OnDelivery.KEEP)))
          .named("polyshop, marking dead rows");

  /** The native table taken for one that is held, as a table with every column may be adopted. */
  public static final LayoutSample HELD_NATIVE =
      natively(adopted(Layout.nativeTable()))
          .named("native table, held")
          .withTables(NATIVE.tables());

  /** The same, with the time of a retry kept beside the table. */
  public static final LayoutSample HELD_WITHOUT_DUE =
      natively(withoutDue(HELD_NATIVE.layout()))
          .named("native table, held, without due times")
          .withTables(Samples::createWithoutDue);

  private Samples() {}

  private static Layout withoutDue(Layout layout) {
    Map<Role, Column> columns = new EnumMap<>(layout.columns());
    columns.remove(Role.DUE_AT);
    return new Layout(
        layout.name(),
        TableName.of("undated_outbox"),
        columns,
        layout.lifecycle(),
        layout.retryPolicy(),
        LayoutSettings.NONE,
        null);
  }

  private static void createWithoutDue(DataSource dataSource) {
    NATIVE.tables().accept(dataSource);
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE undated_outbox (LIKE postcommit_outbox INCLUDING ALL)");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    OutboxMigration.migrate(dataSource, HELD_WITHOUT_DUE.layout());
  }

  private static Layout adopted(Layout layout) {
    return new Layout(
        "adopted",
        layout.table(),
        layout.columns(),
        new Status("pending", "delivered", "dead"),
        layout.retryPolicy(),
        LayoutSettings.NONE,
        null);
  }

  private static LayoutSample aggregated(Layout layout) {
    return new LayoutSample(
        layout,
        key -> Event.builder("order_created").aggregate("vendor_order", uuid(key)),
        Samples::ofTenant);
  }

  private static LayoutSample polyShop(Layout layout) {
    return new LayoutSample(
        layout, key -> Event.builder("order.order.placed.v1").aggregateId(key), Samples::ofTenant);
  }

  private static UUID uuid(String key) {
    return UUID.nameUUIDFromBytes(key.getBytes(UTF_8));
  }

  private static LayoutSample natively(Layout layout) {
    return new LayoutSample(layout, key -> Event.builder("happened").key(key), Samples::ofTenant);
  }

  private static LayoutSample modkit(Layout layout) {
    return new LayoutSample(
        layout, key -> Event.builder("happened").tenant(uuid(key)), Samples::ofTenant);
  }

  private static Event ofTenant(UUID tenant) {
    return Event.builder("happened").tenant(tenant).json("1").build();
  }
}
