/** The consumer of usage events. */
@NullMarked
package dev.postcommit.examples.minichat.billing;

import org.jspecify.annotations.NullMarked;
