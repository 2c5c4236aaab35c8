/** What the benchmark asks of each way to get events from a transaction to Kafka. */
@NullMarked
package dev.postcommit.bench.contender;

import org.jspecify.annotations.NullMarked;
