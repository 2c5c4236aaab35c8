/**
 * How it is measured: servers, contenders in processes of their own, load, and the check that
 * nothing was lost. Start with {@link dev.postcommit.bench.measure.Bench}.
 */
@NullMarked
package dev.postcommit.bench.measure;

import org.jspecify.annotations.NullMarked;
