/** Debezium's embedded engine with its outbox event router. */
@NullMarked
package dev.postcommit.bench.debezium;

import org.jspecify.annotations.NullMarked;
