/**
 * Real servers and assertions for tests of code that uses an outbox or an inbox.
 *
 * <p>Start with {@link dev.postcommit.testkit.PostgresServer#shared()}, {@link
 * dev.postcommit.testkit.KafkaServer#shared()} and {@link
 * dev.postcommit.testkit.RedisServer#shared()}: one real server of each kind for all tests of a
 * JVM, started on first use. {@link dev.postcommit.testkit.PubSubServer#shared()} is a Google
 * Pub/Sub service in the JVM itself, and {@link dev.postcommit.testkit.PubSubProxy} makes it go
 * wrong. {@link dev.postcommit.testkit.Ledger} proves that what was committed is what was
 * delivered. {@link dev.postcommit.testkit.Processes} runs code in JVMs that a test can kill or
 * freeze.
 *
 * <p>Servers and processes live in one directory each under {@code java.io.tmpdir}. They end and
 * their directories go when they are closed, and also when the JVM that started them ends without
 * closing them, even by SIGKILL. Linux and macOS only.
 */
@NullMarked
package dev.postcommit.testkit;

import org.jspecify.annotations.NullMarked;
