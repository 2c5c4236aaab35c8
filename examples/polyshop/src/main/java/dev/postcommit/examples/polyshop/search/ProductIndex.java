package dev.postcommit.examples.polyshop.search;

import java.util.UUID;
import org.springframework.data.repository.Repository;

/** The index of products. */
interface ProductIndex extends Repository<IndexedProduct, UUID> {

  IndexedProduct save(IndexedProduct product);
}
