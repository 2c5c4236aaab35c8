/** The log of the process; see {@link dev.postcommit.server.logging.Logs}. */
@NullMarked
package dev.postcommit.server.logging;

import org.jspecify.annotations.NullMarked;
