/**
 * {@code postcommit explore}: a search over many scenarios. Start with {@link
 * dev.postcommit.demo.explore.Exploration}.
 */
@NullMarked
package dev.postcommit.demo.explore;

import org.jspecify.annotations.NullMarked;
