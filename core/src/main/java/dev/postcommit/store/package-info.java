/**
 * The storage side of the relay: claiming batches, settling what became of them, and the operator's
 * view of a table.
 *
 * <p>Start at {@link dev.postcommit.store.OutboxStore}, or {@link dev.postcommit.store.OutboxAdmin}
 * for looking and mending.
 */
@NullMarked
package dev.postcommit.store;

import org.jspecify.annotations.NullMarked;
