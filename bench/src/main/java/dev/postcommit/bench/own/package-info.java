/** Postcommit as a contender, and the limits of the machine. */
@NullMarked
package dev.postcommit.bench.own;

import org.jspecify.annotations.NullMarked;
