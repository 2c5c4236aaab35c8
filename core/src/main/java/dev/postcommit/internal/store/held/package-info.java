/** Rows held by a transaction for as long as they are sent: Logistik, PackFinderz, PolyShop. */
@NullMarked
package dev.postcommit.internal.store.held;

import org.jspecify.annotations.NullMarked;
