package dev.postcommit.structure;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One Java source file.
 *
 * @param module the directory of its module, relative to the root of the repository
 * @param uses the packages whose classes its code names; those named only in comments don't count
 */
record SourceFile(String module, String packageName, String name, Set<String> uses) {
  private static final Pattern NO_CODE =
      Pattern.compile(
          "\"\"\"(?s:.*?)\"\"\"|/\\*(?s:.*?)\\*/|//[^\\n]*"
              + "|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?([\\w.*]+);");
  private static final Pattern FULL_NAME =
      Pattern.compile("\\bdev\\.postcommit(?:\\.[a-z]\\w*)*\\.[A-Z]\\w*");

  static SourceFile parse(String module, String name, String text) {
    String code = NO_CODE.matcher(text).replaceAll(" ");
    Matcher declared = PACKAGE.matcher(code);
    if (!declared.find()) {
      throw new IllegalArgumentException(module + ": " + name + " names no package");
    }
    String body = IMPORT.matcher(code).replaceAll("");
    Stream<String> imports =
        matches(IMPORT, code).map(found -> found.group(1)).filter(named -> isUsed(named, body));
    Stream<String> fullNames = matches(FULL_NAME, body).map(Matcher::group);
    return new SourceFile(
        module,
        declared.group(1),
        name,
        Stream.concat(imports, fullNames)
            .map(SourceFile::packageOf)
            .collect(toCollection(TreeSet::new)));
  }

  private static Stream<Matcher> matches(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return Stream.generate(() -> matcher).takeWhile(Matcher::find);
  }

  private static boolean isUsed(String imported, String body) {
    String simpleName = imported.substring(imported.lastIndexOf('.') + 1);
    return simpleName.equals("*")
        || Pattern.compile("\\b" + simpleName + "\\b").matcher(body).find();
  }

  /** The part of a class's full name before the first upper-case letter or star. */
  private static String packageOf(String className) {
    return Arrays.stream(className.split("\\.", -1))
        .takeWhile(part -> Character.isLowerCase(part.charAt(0)))
        .collect(joining("."));
  }
}
