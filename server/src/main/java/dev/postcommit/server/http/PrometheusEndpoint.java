package dev.postcommit.server.http;

import dev.postcommit.micrometer.PrometheusScrape;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/** The metrics for Prometheus, at Spring Boot's usual path. */
@WebEndpoint(id = "prometheus")
final class PrometheusEndpoint {
  private final PrometheusScrape scrape;

  PrometheusEndpoint(PrometheusScrape scrape) {
    this.scrape = scrape;
  }

  @ReadOperation(produces = PrometheusScrape.CONTENT_TYPE)
  public String metrics() {
    return scrape.text();
  }
}
