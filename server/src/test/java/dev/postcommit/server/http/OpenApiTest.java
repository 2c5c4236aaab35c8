package dev.postcommit.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postcommit.relay.Relay;
import dev.postcommit.settings.BrokerSettings.BrokerName;
import dev.postcommit.settings.Setting;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The description of operators' requests says what the code does. */
class OpenApiTest {
  private static final Pattern CALL =
      Pattern.compile("(?:-X (\\w+) )?(?:\"|')?\\$ADMIN(/[^\\s\"'?]*)");

  private final OpenApiDocument document = OpenApiDocument.read();

  /** Every request that is answered, as the document would call it. */
  private static Map<String, HandlerMethod> answered() {
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      // What answers is found by its type; nothing of it is made.
      context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
      context.register(AdminConfiguration.class, RequestMappingHandlerMapping.class);
      context.refresh();
      Map<String, HandlerMethod> answered = new TreeMap<>();
      context
          .getBean(RequestMappingHandlerMapping.class)
          .getHandlerMethods()
          .forEach(
              (request, method) -> {
                if (!ErrorController.class.isAssignableFrom(method.getBeanType())) {
                  answered.put(name(request), method);
                }
              });
      return answered;
    }
  }

  private static String name(RequestMappingInfo request) {
    assertThat(request.getMethodsCondition().getMethods()).as("%s", request).hasSize(1);
    assertThat(request.getPatternValues()).as("%s", request).hasSize(1);
    return request.getMethodsCondition().getMethods().iterator().next()
        + " "
        + request.getPatternValues().iterator().next();
  }

  @Test
  void itIsValid() throws IOException {
    try (InputStream in = OpenApiDocument.class.getResourceAsStream("openapi.yaml")) {
      String text = new String(in.readAllBytes(), UTF_8);
      var parsed = new OpenAPIV3Parser().readContents(text, null, new ParseOptions());
      assertThat(parsed.getMessages()).isEmpty();
      assertThat(parsed.isOpenapi31()).isTrue();
      var broken =
          new OpenAPIV3Parser()
              .readContents(
                  text.replace("operationId: prune", "operation: prune"), null, new ParseOptions());
      assertThat(broken.getMessages()).isNotEmpty();
    }
  }

  @Test
  void everyRequestThatIsAnsweredIsDescribedAndNoOther() {
    assertThat(document.operations().keySet()).hasSizeGreaterThan(8).isEqualTo(answered().keySet());
  }

  @Test
  void everyParameterIsDescribedAndNoOther() {
    answered()
        .forEach(
            (name, method) -> {
              List<String> parameters = new ArrayList<>();
              boolean body = false;
              for (MethodParameter parameter : method.getMethodParameters()) {
                PathVariable variable = parameter.getParameterAnnotation(PathVariable.class);
                RequestParam query = parameter.getParameterAnnotation(RequestParam.class);
                if (variable != null) {
                  parameters.add("path " + variable.value());
                } else if (query != null) {
                  parameters.add("query " + query.name());
                } else {
                  assertThat(parameter.getParameterType()).isEqualTo(InputStream.class);
                  body = true;
                }
              }
              assertThat(document.parameters(name))
                  .as(name)
                  .containsExactlyInAnyOrderElementsOf(parameters);
              assertThat(document.operations().get(name).has("requestBody"))
                  .as(name)
                  .isEqualTo(body);
              assertThat(name.startsWith("POST")).as("%s changes something", name).isEqualTo(body);
            });
  }

  @Test
  void everyFieldOfABodyIsDescribedAndNoOther() {
    assertThat(fields("DeadChange")).isEqualTo(DeadRequest.FIELDS);
    assertThat(fields("Prune")).isEqualTo(RelayController.PRUNE_FIELDS);
    assertThat(fields("GiveUp")).isEqualTo(TopicController.GIVE_UP_FIELDS);
    assertThat(fields("Wake")).isEqualTo(RelayController.WAKE_FIELDS);
  }

  private Set<String> fields(String schema) {
    Set<String> names = new HashSet<>();
    document
        .at("/components/schemas/" + schema + "/properties")
        .fieldNames()
        .forEachRemaining(names::add);
    return names;
  }

  @Test
  void everyStateAndBrokerIsDescribedAndNoOther() {
    assertThat(words("/components/schemas/Relay/properties/state/enum"))
        .containsExactlyElementsOf(Arrays.stream(Relay.State.values()).map(Setting::word).toList());
    assertThat(words("/components/schemas/Broker/properties/kind/enum"))
        .containsExactlyElementsOf(Arrays.stream(BrokerName.values()).map(Setting::word).toList());
  }

  private List<String> words(String pointer) {
    List<String> words = new ArrayList<>();
    for (JsonNode word : document.at(pointer)) {
      words.add(word.asText());
    }
    return words;
  }

  @Test
  void everyRequestOnThePageIsDescribed() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "admin-api.md"));
    Matcher call = CALL.matcher(page);
    int calls = 0;
    while (call.find()) {
      calls++;
      String method = call.group(1) == null ? "GET" : call.group(1);
      assertThat(document.knows(method, call.group(2))).as(call.group()).isTrue();
    }
    assertThat(calls).isGreaterThan(5);
  }
}
