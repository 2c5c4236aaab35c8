package dev.postcommit.examples.polyshop.product;

import dev.postcommit.examples.polyshop.common.DomainEventFactory;
import dev.postcommit.examples.polyshop.common.OutboxEventRepository;
import dev.postcommit.examples.polyshop.events.ProductCreated;
import dev.postcommit.examples.polyshop.events.Topics;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Keeps the catalogue. */
@Service
class ProductService {
  private static final Logger log = LoggerFactory.getLogger(ProductService.class);

  private final ProductRepository products;
  private final DomainEventFactory events;
  private final OutboxEventRepository outbox;

  ProductService(
      ProductRepository products, DomainEventFactory events, OutboxEventRepository outbox) {
    this.products = products;
    this.events = events;
    this.outbox = outbox;
  }

  /** The product of a name, which is a new one the first time. */
  @Transactional
  public Product add(String name, BigDecimal price, UUID categoryId) {
    return products.findByName(name).orElseGet(() -> create(name, price, categoryId));
  }

  private Product create(String name, BigDecimal price, UUID categoryId) {
    Product product =
        products.save(new Product(UUID.randomUUID(), name, price, categoryId, Instant.now()));
    outbox.save(
        events.create(
            Topics.PRODUCT_CREATED,
            product.id(),
            new ProductCreated(
                product.id(),
                product.name(),
                product.price(),
                product.categoryId(),
                product.createdAt())));
    log.info("product {} added", product.id());
    return product;
  }
}
