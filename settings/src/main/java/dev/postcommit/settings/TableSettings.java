package dev.postcommit.settings;

import static dev.postcommit.settings.Setting.Group.DATABASE;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.layout.TableName;
import java.nio.file.Path;
import java.util.List;

/** The settings of the outbox table. */
public final class TableSettings {

  /** What happens to dead rows in a table that has a processed flag. */
  public enum DeadRows {
    /** They stay unprocessed. */
    KEEP,
    /** They are marked processed. */
    MARK_PROCESSED
  }

  public static final Setting<TableName> TABLE =
      DATABASE.setting(
          "table",
          "[schema.]table",
          Readers.table(),
          "The outbox table. Default: postcommit_outbox (native), postcommit_log (log),"
              + " modkit_outbox_events (modkit) or outbox_events (the other layouts).");

  public static final Setting<String> LAYOUT =
      DATABASE.setting(
          "layout",
          String.join("|", Layout.presets()),
          "native",
          Readers.choice(Layout.presets()),
          "The shape of the outbox table.");

  public static final Setting<Path> LAYOUT_FILE =
      DATABASE.setting(
          "layout-file",
          "file",
          Readers.path(),
          "A file that describes a table of your own, including its name. Replaces layout and"
              + " table; see docs/layouts.md.");

  public static final Setting<OnDelivery> ON_DELIVERY =
      DATABASE.setting(
          "on-delivery",
          "keep|delete",
          "keep",
          Readers.choice(OnDelivery.class),
          "Whether delivered rows are kept for the retention period or deleted at once. A log"
              + " always keeps them.");

  public static final Setting<DeadRows> DEAD_ROWS =
      DATABASE.setting(
          "dead-rows",
          "keep|mark-processed",
          Readers.choice(DeadRows.class),
          "For layouts with a processed flag, such as polyshop: whether dead rows stay unprocessed"
              + " or are marked processed. Default: as the layout says; polyshop keeps them.");

  /** All of them. */
  public static final List<Setting<?>> ALL =
      List.of(TABLE, LAYOUT, LAYOUT_FILE, ON_DELIVERY, DEAD_ROWS);

  private TableSettings() {}
}
