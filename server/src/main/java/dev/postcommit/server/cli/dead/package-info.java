/**
 * {@code postcommit dead}: operates on dead events; start with {@link
 * dev.postcommit.server.cli.dead.DeadCommand}.
 */
@NullMarked
package dev.postcommit.server.cli.dead;

import org.jspecify.annotations.NullMarked;
