/**
 * A log: a table that is read behind a cursor, and never updated. {@link
 * dev.postcommit.internal.store.log.LogStore} is where to start.
 */
@NullMarked
package dev.postcommit.internal.store.log;

import org.jspecify.annotations.NullMarked;
