/**
 * From what was measured to a table of rows, plots and a page. Start at {@link
 * dev.postcommit.bench.report.Page}.
 */
@NullMarked
package dev.postcommit.bench.report;

import org.jspecify.annotations.NullMarked;
