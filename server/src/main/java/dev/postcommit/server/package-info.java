/**
 * The processes: {@link dev.postcommit.server.Main} is the {@code postcommit} command line, {@link
 * dev.postcommit.server.OutboxPublisher} the process {@code outbox-publisher}.
 *
 * <p>{@code cli} has the commands, {@code terminal} what they share, {@code relay} the relays of a
 * process, {@code http} what it serves, {@code table} what operators see of a table and do to it,
 * and {@code settings} the settings.
 */
@NullMarked
package dev.postcommit.server;

import org.jspecify.annotations.NullMarked;
