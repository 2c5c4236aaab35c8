/**
 * The outbox table as operators see it, shared by the command line and the admin API: how to reach
 * it ({@link dev.postcommit.server.table.OutboxTable}), its status, dead events and topics, in text
 * and in JSON.
 */
@NullMarked
package dev.postcommit.server.table;

import org.jspecify.annotations.NullMarked;
