package dev.postcommit.spring.consumer;

import dev.postcommit.spring.settings.SetupException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Finds the methods of beans that are marked as event handlers. */
final class HandlerScan {
  private static final Logger log = LoggerFactory.getLogger(HandlerScan.class);

  /**
   * A method that is marked.
   *
   * @param bean the name of its bean
   * @param beanClass the bean's class, without proxies
   * @param type the type of events it is for
   */
  record Marked(String bean, Class<?> beanClass, Method method, String type) {

    /** Names the method in messages. */
    @Override
    public String toString() {
      return "%s.%s of bean '%s'".formatted(beanClass.getSimpleName(), method.getName(), bean);
    }
  }

  private HandlerScan() {}

  /** All marked methods, once all singletons exist. */
  static List<Marked> scan(ConfigurableListableBeanFactory beans) {
    List<Marked> found = new ArrayList<>();
    for (String name : beans.getBeanNamesForType(Object.class)) {
      try {
        @Nullable Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
        if (type != null && mayBeMarked(type)) {
          add(name, type, found);
        }
      } catch (RuntimeException | LinkageError e) {
        // Of a lazy bean of a library, whose optional classes are missing.
        log.debug("the methods of bean '{}' cannot be read", name, e);
      }
    }
    return found;
  }

  private static boolean mayBeMarked(Class<?> type) {
    return AnnotationUtils.isCandidateClass(type, EventHandler.class)
        && !type.getName().startsWith("org.springframework.");
  }

  private static void add(String name, Class<?> type, List<Marked> found) {
    Map<Method, @Nullable EventHandler> marked =
        MethodIntrospector.selectMethods(
            type,
            (MethodIntrospector.MetadataLookup<@Nullable EventHandler>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, EventHandler.class));
    marked.forEach(
        (method, annotation) -> {
          if (annotation != null) {
            found.add(new Marked(name, type, method, annotation.value()));
          }
        });
  }

  /** Refuses a marked method. */
  static SetupException refused(Marked method, String problem, String action) {
    return new SetupException("the event handler %s %s".formatted(method, problem), action);
  }
}
