/** Whether database, broker and table can be worked with, and signals between threads. */
@NullMarked
package dev.postcommit.internal.relay.health;

import org.jspecify.annotations.NullMarked;
