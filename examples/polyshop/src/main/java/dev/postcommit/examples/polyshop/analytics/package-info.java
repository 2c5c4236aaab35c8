/** analytics-service: counts events; consumes only. */
@NullMarked
package dev.postcommit.examples.polyshop.analytics;

import org.jspecify.annotations.NullMarked;
