/** What the guard against duplicates costs a consumer. */
@NullMarked
package dev.postcommit.bench.consume;

import org.jspecify.annotations.NullMarked;
