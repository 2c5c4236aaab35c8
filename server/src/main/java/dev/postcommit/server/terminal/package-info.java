/**
 * What all commands share: {@link dev.postcommit.server.terminal.CliCommand} is their base class,
 * {@link dev.postcommit.server.terminal.Terminal} all they see of the outside world.
 */
@NullMarked
package dev.postcommit.server.terminal;

import org.jspecify.annotations.NullMarked;
