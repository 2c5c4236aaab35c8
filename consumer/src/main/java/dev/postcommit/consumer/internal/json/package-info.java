/** Fields and data of JSON messages. Not for users. */
@NullMarked
package dev.postcommit.consumer.internal.json;

import org.jspecify.annotations.NullMarked;
