/** Proxies of JDBC's interfaces: {@link dev.postcommit.testkit.jdbc.JdbcProxy}. */
@NullMarked
package dev.postcommit.testkit.jdbc;

import org.jspecify.annotations.NullMarked;
