package dev.postcommit.examples.minichat.dispatcher;

import dev.postcommit.RetryPolicy;
import java.time.Duration;

/**
 * A dispatcher's settings, all of which are to be given.
 *
 * @param batchSize the most events claimed at once
 * @param pollInterval how often an idle dispatcher looks for events; at most a third of the lease
 * @param lease how long the events of a killed dispatcher wait for another
 * @param retryPolicy when failed deliveries are repeated, and after how many an event is dead
 */
public record DispatcherConfig(
    int batchSize, Duration pollInterval, Duration lease, RetryPolicy retryPolicy) {}
