/**
 * PolyShop, a shop of eight services in three languages; {@link
 * dev.postcommit.examples.polyshop.Main} runs it.
 */
@NullMarked
package dev.postcommit.examples.polyshop;

import org.jspecify.annotations.NullMarked;
