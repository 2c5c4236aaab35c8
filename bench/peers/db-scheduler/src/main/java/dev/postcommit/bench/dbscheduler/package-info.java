/**
 * db-scheduler as a contender: each event is a task for once, scheduled in the transaction and run
 * after it. {@link dev.postcommit.bench.dbscheduler.DbSchedulerContender} is the place to start.
 */
@NullMarked
package dev.postcommit.bench.dbscheduler;

import org.jspecify.annotations.NullMarked;
