/**
 * JVMs and servers in processes of their own, which end with the JVM that started them. Start with
 * {@link dev.postcommit.testkit.process.Processes}.
 */
@NullMarked
package dev.postcommit.testkit.process;

import org.jspecify.annotations.NullMarked;
