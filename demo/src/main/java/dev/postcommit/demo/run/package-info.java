/**
 * The demo: real servers, writers, relays that may be killed, and a proof at the end. Start with
 * {@link dev.postcommit.demo.run.Demo}.
 */
@NullMarked
package dev.postcommit.demo.run;

import org.jspecify.annotations.NullMarked;
