/**
 * A whole benchmark: {@link dev.postcommit.bench.run.Comparison} plays all scenarios with all
 * contenders.
 */
@NullMarked
package dev.postcommit.bench.run;

import org.jspecify.annotations.NullMarked;
