/**
 * The demo: real servers, writers, relays that may be killed, and a proof at the end.
 *
 * <p>Start with {@link dev.postcommit.demo.Demo}.
 */
@NullMarked
package dev.postcommit.demo;

import org.jspecify.annotations.NullMarked;
