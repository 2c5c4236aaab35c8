/** The run: servers, services as processes, customers, and the audit at the end. */
@NullMarked
package dev.postcommit.examples.polyshop.run;

import org.jspecify.annotations.NullMarked;
