/** Postgres behind the storage interfaces; not part of the API. */
@NullMarked
package dev.postcommit.store.internal;

import org.jspecify.annotations.NullMarked;
