/**
 * The {@code postcommit} command with everything that needs servers of its own: {@link
 * dev.postcommit.demo.Main}.
 */
@NullMarked
package dev.postcommit.demo;

import org.jspecify.annotations.NullMarked;
