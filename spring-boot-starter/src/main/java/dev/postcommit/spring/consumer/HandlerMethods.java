package dev.postcommit.spring.consumer;

import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.spring.consumer.HandlerMethod.Parameter;
import dev.postcommit.spring.consumer.HandlerScan.Marked;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;

/** The event handlers of an application by type of event, checked when it starts. */
final class HandlerMethods {
  private static final String SIGNATURE =
      "let it take the event's data, or a ReceivedEvent, and an EventContext if it needs one";

  private HandlerMethods() {}

  /**
   * Checks marked methods.
   *
   * @param transactions those of the inbox, in which handlers must run; null for none
   */
  static Map<String, HandlerMethod> of(
      List<Marked> marked,
      ConfigurableListableBeanFactory beans,
      @Nullable HandlerTransactions transactions) {
    Map<String, HandlerMethod> handlers = new LinkedHashMap<>();
    for (Marked each : marked) {
      HandlerMethod handler = handler(each, beans, transactions);
      @Nullable HandlerMethod other = handlers.putIfAbsent(each.type(), handler);
      if (other != null) {
        throw HandlerScan.refused(
            each,
            "is for events of type %s, and so is %s".formatted(each.type(), other.marked()),
            "leave one of them, and let it call the other if both are meant");
      }
    }
    return handlers;
  }

  private static HandlerMethod handler(
      Marked marked,
      ConfigurableListableBeanFactory beans,
      @Nullable HandlerTransactions transactions) {
    Method method = marked.method();
    if (marked.type().isBlank()) {
      throw HandlerScan.refused(
          marked, "names no type of events", "write for example @EventHandler(\"order.placed\")");
    }
    if (!beans.isSingleton(marked.bean())) {
      throw HandlerScan.refused(
          marked,
          "is in a bean that is not a singleton, so that it is unclear on which one to call it",
          "make the bean a singleton, or move the handler to one");
    }
    if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
      throw HandlerScan.refused(
          marked,
          "is private or static, so that proxies such as those of @Transactional do not see calls",
          "make it a method of the instance that is not private");
    }
    if (method.getReturnType() != void.class) {
      throw HandlerScan.refused(
          marked,
          "returns a value, which nothing would use or wait for",
          "let it return void, when its effect has happened");
    }
    checkAnnotations(marked, transactions);
    List<Parameter> parameters = parameters(marked);
    Object bean = beans.getBean(marked.bean());
    return new HandlerMethod(marked, bean, invocable(marked, bean), parameters);
  }

  private static void checkAnnotations(Marked marked, @Nullable HandlerTransactions transactions) {
    if (has(marked, Async.class)) {
      throw HandlerScan.refused(
          marked,
          "is @Async, so that it would return before its effect has happened",
          "leave out @Async; postcommit.consumer.threads has handlers run in parallel");
    }
    if (transactions != null) {
      transactions.check(marked);
    }
  }

  private static boolean has(Marked marked, Class<Async> annotation) {
    return AnnotatedElementUtils.hasAnnotation(marked.method(), annotation)
        || AnnotatedElementUtils.hasAnnotation(marked.beanClass(), annotation);
  }

  private static List<Parameter> parameters(Marked marked) {
    List<Parameter> parameters = new ArrayList<>();
    Method method = marked.method();
    for (int i = 0; i < method.getParameterCount(); i++) {
      parameters.add(
          parameter(marked, ResolvableType.forMethodParameter(method, i, marked.beanClass())));
    }
    long contexts = parameters.stream().filter(p -> p instanceof Parameter.Context).count();
    if (contexts > 1 || parameters.size() - contexts != 1) {
      throw HandlerScan.refused(
          marked,
          "takes %d parameters, of which none or several are the event"
              .formatted(parameters.size()),
          SIGNATURE);
    }
    return List.copyOf(parameters);
  }

  private static Parameter parameter(Marked marked, ResolvableType type) {
    Class<?> raw = type.toClass();
    if (raw == EventContext.class) {
      return new Parameter.Context();
    }
    return raw == ReceivedEvent.class
        ? new Parameter.Whole(dataType(marked, type.getGeneric()))
        : new Parameter.Data(dataType(marked, type));
  }

  private static Class<?> dataType(Marked marked, ResolvableType type) {
    @Nullable Class<?> raw = type.resolve();
    if (raw == null || type.hasGenerics()) {
      throw HandlerScan.refused(
          marked, "takes data of type %s, which is not a simple class".formatted(type), SIGNATURE);
    }
    return raw;
  }

  /** The method as it can be called on the bean, which may be a proxy. */
  private static Method invocable(Marked marked, Object bean) {
    Method method = marked.method();
    if (AopUtils.isCglibProxy(bean) && Modifier.isFinal(method.getModifiers())) {
      throw HandlerScan.refused(
          marked, "is final, and its bean is a proxy that cannot pass the call on", "remove final");
    }
    try {
      Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
      invocable.setAccessible(true);
      return invocable;
    } catch (IllegalStateException e) {
      throw HandlerScan.refused(
          marked,
          "is not part of an interface, and its bean is a JDK proxy, which has no other methods",
          "declare it in an interface of the bean, or set spring.aop.proxy-target-class=true");
    }
  }
}
