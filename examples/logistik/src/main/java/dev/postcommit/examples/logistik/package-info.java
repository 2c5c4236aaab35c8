/** Logistik: orders whose events reach Kafka. Start with {@code Main}. */
@NullMarked
package dev.postcommit.examples.logistik;

import org.jspecify.annotations.NullMarked;
