/** The relay as a process of its own, and the command line. */
@NullMarked
package dev.postcommit.server;

import org.jspecify.annotations.NullMarked;
