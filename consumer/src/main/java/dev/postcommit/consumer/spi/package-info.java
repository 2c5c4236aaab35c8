/**
 * What the consumers of all brokers build on: threads that handle messages in order, retry them and
 * send dead letters. For authors of broker modules, not for applications.
 *
 * <p>A module subclasses {@link dev.postcommit.consumer.spi.BrokerConsumer}, which users start and
 * close, {@link dev.postcommit.consumer.spi.ReadingLoop}, which fetches messages, {@link
 * dev.postcommit.consumer.spi.FetchedMessage}, which acknowledges one of them, and {@link
 * dev.postcommit.consumer.spi.WorkerPool}, which assigns messages to workers. It implements {@link
 * dev.postcommit.consumer.spi.DeadLetterSink}. Internal classes of this module are not needed.
 */
@NullMarked
package dev.postcommit.consumer.spi;

import org.jspecify.annotations.NullMarked;
