package dev.postcommit.examples.polyshop.product;

import java.util.Optional;
import java.util.UUID;
import org.springframework.data.repository.Repository;

/** The products. */
interface ProductRepository extends Repository<Product, UUID> {

  Product save(Product product);

  Optional<Product> findByName(String name);
}
