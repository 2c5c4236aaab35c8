/**
 * Real servers, faults and assertions for tests of code that uses an outbox or an inbox.
 *
 * <p>Start with {@link dev.postcommit.testkit.postgres.PostgresServer#shared()}, {@link
 * dev.postcommit.testkit.kafka.KafkaServer#shared()} and {@link
 * dev.postcommit.testkit.redis.RedisServer#shared()}: one real server of each kind for all tests of
 * a JVM, started on first use. {@link dev.postcommit.testkit.ledger.Ledger} proves that what was
 * committed is what was delivered. {@link dev.postcommit.testkit.process.Processes} runs code in
 * JVMs that a test can kill or freeze. The package {@code fault} has proxies, full disks and wrong
 * clocks, {@code contract} the suites for your own stores and publishers, and {@code explorer} the
 * search for a schedule that breaks a promise.
 *
 * <p>Each server and process lives in a directory of its own under {@code java.io.tmpdir}. It ends
 * and its directory is deleted when it is closed, and also when the JVM that started it ends
 * without closing it, even by SIGKILL. Linux and macOS only.
 */
@NullMarked
package dev.postcommit.testkit;

import org.jspecify.annotations.NullMarked;
