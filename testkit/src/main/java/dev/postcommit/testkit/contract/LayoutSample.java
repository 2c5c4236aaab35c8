package dev.postcommit.testkit.contract;

import dev.postcommit.Event;
import dev.postcommit.layout.Layout;
import java.util.UUID;
import java.util.function.Function;

/**
 * A layout with events it can hold.
 *
 * @param layout the layout
 * @param event makes an event with a key
 * @param tenantEvent makes an event of a tenant
 */
public record LayoutSample(
    Layout layout, Function<String, Event.Builder> event, Function<UUID, Event> tenantEvent) {}
