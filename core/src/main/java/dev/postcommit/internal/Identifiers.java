package dev.postcommit.internal;

import java.util.Set;
import java.util.regex.Pattern;

/** Names in SQL that people read: quoted where they have to be. */
public final class Identifiers {
  private static final Pattern PLAIN = Pattern.compile("[a-z_][a-z0-9_]*");

  /** The words that Postgres does not take for the name of a table, column or user. */
  private static final Set<String> RESERVED =
      Set.of(
          """
          all analyse analyze and any array as asc asymmetric authorization binary both case cast \
          check collate collation column concurrently constraint create cross current_catalog \
          current_date current_role current_schema current_time current_timestamp current_user \
          default deferrable desc distinct do else end except false fetch for foreign freeze from \
          full grant group having ilike in initially inner intersect into is isnull join lateral \
          leading left like limit localtime localtimestamp natural none not notnull null offset on \
          only or order outer overlaps placing primary public references returning right select \
          session_user similar some symmetric system_user table tablesample then to trailing true \
          union unique user using variadic verbose when where window with"""
              .split(" "));

  private Identifiers() {}

  /** The name as it stands in SQL. */
  public static String quoted(String name) {
    boolean plain = PLAIN.matcher(name).matches() && !RESERVED.contains(name);
    return plain ? name : '"' + name.replace("\"", "\"\"") + '"';
  }
}
