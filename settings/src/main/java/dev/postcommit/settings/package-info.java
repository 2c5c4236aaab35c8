/**
 * The settings that the server and the Spring Boot starter share: {@link
 * dev.postcommit.settings.SharedSettings} lists their definitions, {@link
 * dev.postcommit.settings.SettingValues} reads the values that a user gave, and the {@code
 * Configured} classes turn these into a layout, a relay and its publisher.
 */
@NullMarked
package dev.postcommit.settings;

import org.jspecify.annotations.NullMarked;
