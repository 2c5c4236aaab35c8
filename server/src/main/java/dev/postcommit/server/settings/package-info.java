/**
 * Settings by flag, environment or file, with the same names everywhere.
 *
 * <p>{@link dev.postcommit.server.settings.ServerSettings} defines them all; {@link
 * dev.postcommit.server.settings.Settings} finds their values.
 */
@NullMarked
package dev.postcommit.server.settings;

import org.jspecify.annotations.NullMarked;
