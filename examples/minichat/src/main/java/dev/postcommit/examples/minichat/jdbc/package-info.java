/** Plain JDBC in few words. */
@NullMarked
package dev.postcommit.examples.minichat.jdbc;

import org.jspecify.annotations.NullMarked;
