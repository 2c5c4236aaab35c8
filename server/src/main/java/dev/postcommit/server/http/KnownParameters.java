package dev.postcommit.server.http;

import dev.postcommit.support.Suggestion;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/** Rejects unknown parameters, so that a typo in a filter does not select all events. */
final class KnownParameters implements HandlerInterceptor {

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (handler instanceof HandlerMethod method
        && request.getDispatcherType() == DispatcherType.REQUEST) {
      List<String> known = names(method);
      for (Map.Entry<String, String[]> given : request.getParameterMap().entrySet()) {
        String name = given.getKey();
        if (!known.contains(name)) {
          throw RequestException.badRequest(
              "unknown parameter " + name + Suggestion.didYouMean(name, known));
        }
        if (given.getValue().length > 1) {
          throw RequestException.badRequest("parameter " + name + " is given twice; give it once");
        }
      }
    }
    return true;
  }

  private static List<String> names(HandlerMethod method) {
    return Arrays.stream(method.getMethodParameters())
        .map(parameter -> parameter.getParameterAnnotation(RequestParam.class))
        .filter(annotation -> annotation != null)
        .map(RequestParam::name)
        .toList();
  }
}
