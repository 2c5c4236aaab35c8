/** Spring Modulith, its registry of event publications, as a contender of the benchmark. */
@NullMarked
package dev.postcommit.bench.modulith;

import org.jspecify.annotations.NullMarked;
