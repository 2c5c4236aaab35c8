package dev.postcommit.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The SQL that operators are told to use is taken by the tables of each layout. */
class PageStatementsIT {
  private static final List<Layout> LAYOUTS =
      List.of(
          Layout.nativeTable(),
          Layout.log(),
          Layout.preset("modkit"),
          Layout.preset("logistik"),
          Layout.preset("packfinderz"),
          Layout.preset("polyshop"));

  private static final Pattern STATEMENT = Pattern.compile("`((?:SELECT|UPDATE|INSERT) [^`]*)`");
  private static final Pattern BLOCK =
      Pattern.compile("(?s)(?:<!-- statement: (\\w+) -->\n)?```sql\n(.*?)```");
  private static final String ID = "0197a1b2-0000-7000-8000-000000000001";

  @Test
  void everyStatementIsTaken() throws SQLException, IOException {
    List<Page> pages = operators();
    for (Layout layout : LAYOUTS) {
      try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
        OutboxMigration.migrate(database.dataSource(), layout);
        InboxMigration.migrate(database.dataSource(), TableName.of("processed_events"));
        int statements = 0;
        for (Page page : pages) {
          statements += run(database, page, layout);
        }
        // What waits for a topic, what is retried, giving up, and where an event is.
        assertThat(statements).as(layout.name()).isGreaterThanOrEqualTo(4);
      }
    }
  }

  /** The pages for operators: those of incidents, and those of the presets. */
  private static List<Page> operators() throws IOException {
    Path docs = Page.ROOT.resolve("docs");
    return Stream.concat(
            Stream.concat(
                Stream.of(docs.resolve("operations.md"), docs.resolve("running.md")),
                Page.files(docs.resolve("operations"), 1)),
            LAYOUTS.stream()
                .map(layout -> docs.resolve("systems").resolve(layout.name() + ".md"))
                .filter(Files::exists))
        .map(Page::read)
        .toList();
  }

  @Test
  void everyStatementForWritersInOtherLanguagesIsTaken() throws SQLException {
    Page page = Page.read(Page.ROOT.resolve("docs/other-languages/README.md"));
    Map<Layout, Integer> statements =
        Map.of(Layout.nativeTable(), 3, Layout.log(), 2, Layout.preset("polyshop"), 1);
    for (Layout layout : statements.keySet()) {
      try (PostgresDatabase database = PostgresServer.shared().createDatabase();
          Connection connection = database.dataSource().getConnection();
          Statement statement = connection.createStatement()) {
        OutboxMigration.migrate(database.dataSource(), layout);
        Matcher block = BLOCK.matcher(page.text());
        int taken = 0;
        while (block.find()) {
          if (layout.name().equals(block.group(1))) {
            statement.execute(block.group(2));
            taken++;
          }
        }
        assertThat(taken).as(layout.name()).isEqualTo(statements.get(layout));
      }
    }
  }

  /** Runs what the page has for a layout; what names none is for the page's own. */
  private static int run(PostgresDatabase database, Page page, Layout layout) throws SQLException {
    int statements = 0;
    String own = layoutOf(page);
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      for (String line : page.prose().lines().toList()) {
        String cell = line.startsWith("| ") ? line.split("\\|")[1] : "";
        boolean tells = LAYOUTS.stream().anyMatch(any -> names(cell, any));
        Matcher sql = STATEMENT.matcher(line);
        while (names(tells ? cell : own, layout) && sql.find()) {
          statement.execute(sql.group(1).replace("…", ID));
          statements++;
        }
      }
      Matcher block = BLOCK.matcher(page.text());
      while (block.find()) {
        String named = block.group(1) == null ? own : block.group(1);
        if (named.equals(layout.name())) {
          statement.execute(block.group(2).replace("…", ID));
          statements++;
        }
      }
    }
    return statements;
  }

  /** The preset that a page is about, or the native layout. */
  private static String layoutOf(Page page) {
    return LAYOUTS.stream()
        .map(Layout::name)
        .filter(name -> page.path().endsWith("systems/" + name + ".md"))
        .findFirst()
        .orElse("native");
  }

  private static boolean names(String cell, Layout layout) {
    return Pattern.compile("\\b" + layout.name() + "\\b").matcher(cell).find();
  }
}
