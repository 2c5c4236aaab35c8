package dev.postcommit.spring.consumer;

import dev.postcommit.spring.consumer.HandlerScan.Marked;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/** Refuses event handlers that would not work in the transaction that remembers the event. */
final class HandlerTransactions {
  private static final Set<Integer> ELSEWHERE =
      Set.of(
          TransactionDefinition.PROPAGATION_REQUIRES_NEW,
          TransactionDefinition.PROPAGATION_NOT_SUPPORTED,
          TransactionDefinition.PROPAGATION_NEVER);

  private final PlatformTransactionManager inbox;
  private final AnnotationTransactionAttributeSource annotations =
      new AnnotationTransactionAttributeSource(false);
  private final Managers managers;

  /**
   * Handlers in an application's transactions.
   *
   * @param inbox the manager of the transactions that remember events
   */
  HandlerTransactions(PlatformTransactionManager inbox, ConfigurableListableBeanFactory beans) {
    this.inbox = inbox;
    annotations.setEmbeddedValueResolver(beans::resolveEmbeddedValue);
    managers = new Managers(beans);
  }

  /** Finds the manager of a method as Spring does when the method is called. */
  private static final class Managers extends TransactionInterceptor {
    private static final long serialVersionUID = 1L;

    Managers(ConfigurableListableBeanFactory beans) {
      setBeanFactory(beans);
      // A TransactionManagementConfigurer decides for the application's own interceptor.
      beans
          .getBeanProvider(TransactionInterceptor.class)
          .ifUnique(own -> setTransactionManager(own.getTransactionManager()));
    }

    @Nullable TransactionManager of(TransactionAttribute attribute, Class<?> target) {
      return determineTransactionManager(attribute, target);
    }
  }

  /** Checks the annotations of a handler and its class, also Jakarta's. */
  void check(Marked marked) {
    @Nullable TransactionAttribute found =
        annotations.getTransactionAttribute(marked.method(), marked.beanClass());
    if (found == null) {
      return;
    }
    if (ELSEWHERE.contains(found.getPropagationBehavior())) {
      throw HandlerScan.refused(
          marked,
          "has the propagation %s, so that its effect would not be in the transaction that"
                  .formatted(name(found.getPropagationBehavior()))
              + " remembers the event",
          "leave out the propagation");
    }
    if (manager(marked, found) != inbox) {
      throw HandlerScan.refused(
          marked,
          "is in a transaction of another manager than the inbox, so that its effect could be"
              + " committed without the mark that the event is handled",
          "leave out @Transactional, or name the transaction manager of the data source with the"
              + " inbox there");
    }
  }

  private static Propagation name(int behaviour) {
    for (Propagation propagation : Propagation.values()) {
      if (propagation.value() == behaviour) {
        return propagation;
      }
    }
    throw new IllegalArgumentException("no propagation: " + behaviour);
  }

  private @Nullable TransactionManager manager(Marked marked, TransactionAttribute attribute) {
    try {
      return managers.of(attribute, marked.beanClass());
    } catch (NoSuchBeanDefinitionException e) {
      throw HandlerScan.refused(
          marked,
          "is @Transactional, and there is no such transaction manager: " + e.getMessage(),
          "leave out @Transactional, or correct the name of the transaction manager there");
    }
  }
}
