package dev.postcommit.examples.packfinderz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Heroku is told to run. */
final class Heroku {
  private Heroku() {}

  private static String find(String pattern, String file) throws IOException {
    Matcher matcher = Pattern.compile(pattern, Pattern.MULTILINE).matcher(Repository.read(file));
    assertThat(matcher.find()).as("%s in %s", pattern, file).isTrue();
    return matcher.group(1);
  }

  /** The command of the process type {@code worker}, which is not sent any requests. */
  static String worker() throws IOException {
    return find("^worker: (.+)$", "Procfile");
  }

  /** The jar in that command. */
  static String jar() throws IOException {
    return find("^worker: .* -jar (\\S+\\.jar)$", "Procfile");
  }

  /** What the image of the same process type is made from. */
  static Path dockerfile() throws IOException {
    return Repository.ROOT.resolve(find("(?s)build:\\s+docker:\\s+worker: (\\S+)", "heroku.yml"));
  }
}
