/**
 * The shapes of outbox tables: which column plays which role, and how a row's life is recorded.
 *
 * <p>Start at {@link dev.postcommit.layout.Layout}.
 */
@NullMarked
package dev.postcommit.layout;

import org.jspecify.annotations.NullMarked;
