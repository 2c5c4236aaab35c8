/** Claims in a table of their own: the native layout, and the table beside a log. */
@NullMarked
package dev.postcommit.internal.store.claimed;

import org.jspecify.annotations.NullMarked;
