package dev.postcommit.examples.polyshop.inventory;

import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Tells and sets how much there is of a product. */
@Service
class StockService {
  private static final Logger log = LoggerFactory.getLogger(StockService.class);

  private final StockRepository stock;
  private final InventoryEvents events;

  StockService(StockRepository stock, InventoryEvents events) {
    this.stock = stock;
    this.events = events;
  }

  @Transactional(readOnly = true)
  public Optional<Stock> find(UUID productId) {
    return stock.findById(productId);
  }

  /** Sets what can be sold of a product; a repeated call changes nothing. */
  @Transactional
  public Stock set(UUID productId, int available) {
    if (available < 0) {
      throw new IllegalArgumentException("available must not be negative, not " + available);
    }
    Stock counted =
        stock.findByProductId(productId).orElseGet(() -> stock.save(new Stock(productId)));
    int delta = counted.set(available);
    if (delta != 0) {
      events.moved(productId, null, delta, "COUNTED");
      log.info("{} of product {} available", available, productId);
    }
    return counted;
  }
}
