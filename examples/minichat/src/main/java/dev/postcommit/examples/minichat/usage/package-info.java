/** The contract between Mini Chat and billing: the usage event. */
@NullMarked
package dev.postcommit.examples.minichat.usage;

import org.jspecify.annotations.NullMarked;
