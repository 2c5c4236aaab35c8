/**
 * Servers for {@code postcommit relay --sandbox}: {@link
 * dev.postcommit.demo.sandbox.SandboxServers}.
 */
@NullMarked
package dev.postcommit.demo.sandbox;

import org.jspecify.annotations.NullMarked;
