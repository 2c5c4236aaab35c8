/** Objects as payloads, by Jackson 3. Start at {@link dev.postcommit.jackson.JacksonPayloads}. */
@NullMarked
package dev.postcommit.jackson;

import org.jspecify.annotations.NullMarked;
