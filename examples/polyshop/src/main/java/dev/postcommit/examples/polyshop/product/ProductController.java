package dev.postcommit.examples.polyshop.product;

import java.math.BigDecimal;
import java.util.Objects;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /products}. */
@RestController
class ProductController {
  private final ProductService products;

  ProductController(ProductService products) {
    this.products = products;
  }

  record NewProduct(String name, BigDecimal price, UUID categoryId) {

    /** Refuses what is missing. */
    NewProduct {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(price, "price");
      Objects.requireNonNull(categoryId, "categoryId");
    }
  }

  record Added(UUID productId) {}

  @PostMapping("/products")
  @ResponseStatus(HttpStatus.CREATED)
  Added add(@RequestBody NewProduct product) {
    return new Added(products.add(product.name(), product.price(), product.categoryId()).id());
  }
}
