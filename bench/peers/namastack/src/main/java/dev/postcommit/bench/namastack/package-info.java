/** Namastack outbox as a contender of the benchmark. */
@NullMarked
package dev.postcommit.bench.namastack;

import org.jspecify.annotations.NullMarked;
