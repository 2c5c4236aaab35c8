package dev.postcommit.bench.measure;

import java.time.Duration;

/**
 * Events to drain.
 *
 * @param events how many
 * @param limit the longest time a contender drains them; then it is stopped
 */
public record Backlog(int events, Duration limit) {}
