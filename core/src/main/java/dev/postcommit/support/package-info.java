/**
 * Helpers that Postcommit's modules share: text, JSON, log lines, errors of connections.
 *
 * <p>Not for applications: anything here may change at any time.
 */
@NullMarked
package dev.postcommit.support;

import org.jspecify.annotations.NullMarked;
