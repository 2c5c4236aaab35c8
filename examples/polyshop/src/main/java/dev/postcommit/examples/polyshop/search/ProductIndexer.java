package dev.postcommit.examples.polyshop.search;

import dev.postcommit.examples.polyshop.common.Subscriber;
import dev.postcommit.examples.polyshop.common.Subscriptions;
import dev.postcommit.examples.polyshop.events.ProductCreated;
import dev.postcommit.examples.polyshop.events.Topics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Puts new products into the index. */
@Component
class ProductIndexer implements Subscriber {
  private static final Logger log = LoggerFactory.getLogger(ProductIndexer.class);

  private final ProductIndex index;

  ProductIndexer(ProductIndex index) {
    this.index = index;
  }

  @Override
  public void subscribe(Subscriptions subscriptions) {
    subscriptions.on(Topics.PRODUCT_CREATED, ProductCreated.class, event -> add(event.data()));
  }

  private void add(ProductCreated product) {
    index.save(new IndexedProduct(product.productId(), product.name(), product.price()));
    log.info("product {} indexed", product.productId());
  }
}
