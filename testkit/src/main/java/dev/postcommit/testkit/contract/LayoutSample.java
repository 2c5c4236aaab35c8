package dev.postcommit.testkit.contract;

import dev.postcommit.Event;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * A layout with events it can hold.
 *
 * @param name the name of the sample in test reports
 * @param layout the layout
 * @param event makes an event with a key
 * @param tenantEvent makes an event of a tenant
 * @param tables creates the tables in an empty database
 */
public record LayoutSample(
    String name,
    Layout layout,
    Function<String, Event.Builder> event,
    Function<UUID, Event> tenantEvent,
    Consumer<DataSource> tables) {

  /** A sample with the name of its layout, in tables that migrations create. */
  public LayoutSample(
      Layout layout, Function<String, Event.Builder> event, Function<UUID, Event> tenantEvent) {
    this(
        layout.name(),
        layout,
        event,
        tenantEvent,
        dataSource -> OutboxMigration.migrate(dataSource, layout));
  }

  /** The same sample with another name. */
  public LayoutSample named(String newName) {
    return new LayoutSample(newName, layout, event, tenantEvent, tables);
  }

  /** The same sample in tables that are created another way. */
  public LayoutSample withTables(Consumer<DataSource> newTables) {
    return new LayoutSample(name, layout, event, tenantEvent, newTables);
  }

  @Override
  public String toString() {
    return name;
  }
}
