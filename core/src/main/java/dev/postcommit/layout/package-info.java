/**
 * The shapes of outbox tables: which column has which role, and how the state of a row is recorded.
 *
 * <p>Start at {@link dev.postcommit.layout.Layout}.
 */
@NullMarked
package dev.postcommit.layout;

import org.jspecify.annotations.NullMarked;
