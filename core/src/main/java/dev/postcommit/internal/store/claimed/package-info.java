/**
 * Claims in a table of their own: the native layout, and the table for events diverted from a log.
 */
@NullMarked
package dev.postcommit.internal.store.claimed;

import org.jspecify.annotations.NullMarked;
