package dev.postcommit.internal.store;

import dev.postcommit.Ordering;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.store.ClaimRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The statements of claims, rendered once for each kind of request. */
public final class ClaimStatements {

  /** What the text of a claim depends on; the rest of a request is in parameters. */
  private record Kind(int batchSize, Ordering ordering, boolean namespace, boolean tenant) {}

  private final Map<Kind, NamedSql> rendered = new ConcurrentHashMap<>();
  private final Function<ClaimRequest, NamedSql> renderer;

  public ClaimStatements(Function<ClaimRequest, NamedSql> renderer) {
    this.renderer = renderer;
  }

  public NamedSql of(ClaimRequest request) {
    Kind kind =
        new Kind(
            request.batchSize(),
            request.ordering(),
            request.namespace() != null,
            request.tenant() != null);
    return rendered.computeIfAbsent(kind, k -> renderer.apply(request));
  }
}
