/**
 * What all commands share: their base class {@link dev.postcommit.server.terminal.CliCommand},
 * their options, and {@link dev.postcommit.server.terminal.Terminal}, their only access to the
 * outside world.
 */
@NullMarked
package dev.postcommit.server.terminal;

import org.jspecify.annotations.NullMarked;
