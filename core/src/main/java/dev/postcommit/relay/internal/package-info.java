/** The relay's engine; not part of the API. */
@NullMarked
package dev.postcommit.relay.internal;

import org.jspecify.annotations.NullMarked;
