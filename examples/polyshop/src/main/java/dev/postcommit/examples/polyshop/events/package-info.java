/** The events of PolyShop: their types, which are their topics, and the data they carry. */
@NullMarked
package dev.postcommit.examples.polyshop.events;

import org.jspecify.annotations.NullMarked;
