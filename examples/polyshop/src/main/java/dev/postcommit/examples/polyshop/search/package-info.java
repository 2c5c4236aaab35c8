/** search-service: the index of products; consumes only. */
@NullMarked
package dev.postcommit.examples.polyshop.search;

import org.jspecify.annotations.NullMarked;
