/**
 * The commands of {@code postcommit}, a class each; {@link dev.postcommit.server.cli.Commands} puts
 * them together.
 */
@NullMarked
package dev.postcommit.server.cli;

import org.jspecify.annotations.NullMarked;
