/** The relay's engine: polls, sends and settles. */
@NullMarked
package dev.postcommit.internal.relay;

import org.jspecify.annotations.NullMarked;
