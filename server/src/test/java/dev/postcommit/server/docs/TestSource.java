package dev.postcommit.server.docs;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The tests in the source of a class.
 *
 * @param text the source
 */
record TestSource(String text) {
  private static final String LITERAL = "\"((?:\\\\.|[^\"\\\\])*)\"";
  private static final String ANNOTATION = "@\\w+(?:\\((?:[^()\"]|" + LITERAL + ")*\\))?\\s+";

  private static final Pattern METHOD =
      Pattern.compile("((?:" + ANNOTATION + ")+)(?:public )?void (\\w+)\\(");
  private static final Pattern CLASS = Pattern.compile("((?:" + ANNOTATION + ")*)[\\w ]*class ");
  private static final Pattern TEST = Pattern.compile("@(\\w*Test|TestFactory|TestTemplate)\\b");
  private static final Pattern OFF = Pattern.compile("@(Disabled|Enabled)\\w*");
  private static final Pattern DISPLAY_NAME =
      Pattern.compile("@DisplayName\\(((?:[^()\"]|" + LITERAL + ")*)\\)");

  /**
   * A test.
   *
   * @param method the name of its method
   * @param displayName its display name, empty if it has none
   * @param isPlain whether it is run once, and always
   */
  record Case(String method, String displayName, boolean isPlain) {}

  /** The tests by their methods. */
  Map<String, Case> tests() {
    boolean isOff =
        CLASS.matcher(text).results().anyMatch(type -> OFF.matcher(type.group(1)).find());
    return METHOD
        .matcher(text)
        .results()
        .filter(method -> TEST.matcher(method.group(1)).find())
        .map(method -> test(method, isOff))
        .collect(Collectors.toMap(Case::method, Function.identity()));
  }

  private static Case test(MatchResult method, boolean isOff) {
    String annotations = method.group(1);
    boolean isPlain = annotations.contains("@Test\n") && !OFF.matcher(annotations).find();
    return new Case(method.group(3), displayName(annotations), isPlain && !isOff);
  }

  private static String displayName(String annotations) {
    List<String> arguments =
        DISPLAY_NAME.matcher(annotations).results().map(name -> name.group(1)).toList();
    return Pattern.compile(LITERAL)
        .matcher(String.join("", arguments))
        .results()
        .map(literal -> literal.group(1).replaceAll("\\\\(.)", "$1"))
        .collect(joining());
  }
}
