/**
 * A real Postgres, {@link dev.postcommit.testkit.postgres.PostgresServer}, and a pooler for it,
 * {@link dev.postcommit.testkit.postgres.PgBouncer}.
 */
@NullMarked
package dev.postcommit.testkit.postgres;

import org.jspecify.annotations.NullMarked;
