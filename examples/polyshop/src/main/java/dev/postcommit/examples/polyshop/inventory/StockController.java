package dev.postcommit.examples.polyshop.inventory;

import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code PUT} and {@code GET /stock/{productId}}. */
@RestController
class StockController {
  private final StockService stock;

  StockController(StockService stock) {
    this.stock = stock;
  }

  record Count(int available) {}

  record Level(UUID productId, int available, int reserved) {
    static Level of(Stock stock) {
      return new Level(stock.productId(), stock.available(), stock.reserved());
    }
  }

  @PutMapping("/stock/{productId}")
  Level set(@PathVariable("productId") UUID productId, @RequestBody Count count) {
    return Level.of(stock.set(productId, count.available()));
  }

  @GetMapping("/stock/{productId}")
  ResponseEntity<Level> find(@PathVariable("productId") UUID productId) {
    return ResponseEntity.of(stock.find(productId).map(Level::of));
  }

  @ExceptionHandler
  ResponseEntity<String> refuse(IllegalArgumentException e) {
    return ResponseEntity.badRequest().body(e.getMessage());
  }
}
