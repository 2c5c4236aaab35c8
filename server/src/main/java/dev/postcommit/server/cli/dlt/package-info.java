/**
 * {@code postcommit dlt}: operates on a dead-letter topic; start with {@link
 * dev.postcommit.server.cli.dlt.DltCommand}.
 */
@NullMarked
package dev.postcommit.server.cli.dlt;

import org.jspecify.annotations.NullMarked;
