package dev.postcommit.spring.consumer;

import dev.postcommit.spring.settings.SetupException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ClassUtils;

/** Finds the transaction manager in whose transactions event handlers run. */
final class InboxManager {
  private static final boolean JPA =
      ClassUtils.isPresent("org.springframework.orm.jpa.JpaTransactionManager", null);

  private InboxManager() {}

  /**
   * The manager of a data source: of its managers the only or primary one; if none is known to be
   * of it, the only or primary one of the application.
   *
   * @throws SetupException if there is none, or it is unclear which
   */
  static PlatformTransactionManager of(ListableBeanFactory beans, DataSource dataSource) {
    Map<String, PlatformTransactionManager> all =
        new TreeMap<>(
            BeanFactoryUtils.beansOfTypeIncludingAncestors(
                beans, PlatformTransactionManager.class));
    List<PlatformTransactionManager> matching =
        all.values().stream().filter(manager -> isOf(manager, dataSource)).toList();
    if (matching.size() == 1) {
      return matching.get(0);
    }
    @Nullable PlatformTransactionManager usual =
        beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
    if (usual == null || (!matching.isEmpty() && !matching.contains(usual))) {
      throw new SetupException(
          all.isEmpty()
              ? "there is no transaction manager in whose transactions event handlers could run"
              : "there are several transaction managers (%s), and it is unclear which is the one"
                      .formatted(String.join(", ", all.keySet()))
                  + " for the data source with the inbox",
          "let the one of the data source with the inbox be the only one of it, or @Primary");
    }
    return usual;
  }

  private static boolean isOf(PlatformTransactionManager manager, DataSource dataSource) {
    return (JPA && Jpa.isOf(manager, dataSource))
        || (manager instanceof ResourceTransactionManager of
            && of.getResourceFactory() == dataSource);
  }

  /** Needs JPA's classes. */
  private static final class Jpa {
    static boolean isOf(PlatformTransactionManager manager, DataSource dataSource) {
      return manager instanceof JpaTransactionManager jpa && jpa.getDataSource() == dataSource;
    }
  }
}
