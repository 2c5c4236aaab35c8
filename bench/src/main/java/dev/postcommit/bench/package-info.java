/** Benchmarks on real servers. */
@NullMarked
package dev.postcommit.bench;

import org.jspecify.annotations.NullMarked;
