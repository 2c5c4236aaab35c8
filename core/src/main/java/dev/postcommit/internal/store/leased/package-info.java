/** Leases in columns of the event's row: the modkit layout. */
@NullMarked
package dev.postcommit.internal.store.leased;

import org.jspecify.annotations.NullMarked;
