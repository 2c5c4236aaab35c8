/**
 * What all commands share: {@link dev.postcommit.server.console.CliCommand} is their base class,
 * {@link dev.postcommit.server.console.Console} all they see of the outside world.
 */
@NullMarked
package dev.postcommit.server.console;

import org.jspecify.annotations.NullMarked;
