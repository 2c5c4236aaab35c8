/**
 * Shared JDBC and SQL: connections, templates, parameters, the catalogue, how transactions start.
 */
@NullMarked
package dev.postcommit.internal.jdbc;

import org.jspecify.annotations.NullMarked;
