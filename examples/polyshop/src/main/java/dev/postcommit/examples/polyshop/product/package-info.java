/** product-service: the catalogue. */
@NullMarked
package dev.postcommit.examples.polyshop.product;

import org.jspecify.annotations.NullMarked;
