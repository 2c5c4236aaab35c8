/**
 * The relay as a process, and the command line.
 *
 * <p>Start with {@link dev.postcommit.server.Main}. Each command is a class of its own; {@link
 * dev.postcommit.server.Console} is all they see of the outside world.
 */
@NullMarked
package dev.postcommit.server;

import org.jspecify.annotations.NullMarked;
