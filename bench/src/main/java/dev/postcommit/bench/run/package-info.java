/** The driver: servers, contenders in JVMs of their own, scenarios. */
@NullMarked
package dev.postcommit.bench.run;

import org.jspecify.annotations.NullMarked;
