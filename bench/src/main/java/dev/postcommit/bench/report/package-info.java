/**
 * The results of a run, and the page and plots that are written from them. Start at {@link
 * dev.postcommit.bench.report.Page}.
 */
@NullMarked
package dev.postcommit.bench.report;

import org.jspecify.annotations.NullMarked;
