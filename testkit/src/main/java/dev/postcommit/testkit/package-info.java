/** Real servers, contract suites and assertions for tests of code that uses an outbox. */
@NullMarked
package dev.postcommit.testkit;

import org.jspecify.annotations.NullMarked;
