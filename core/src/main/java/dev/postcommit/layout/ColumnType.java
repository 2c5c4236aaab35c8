package dev.postcommit.layout;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The types that a column may have, by its role. */
final class ColumnType {
  private static final Map<String, String> ALIASES =
      Map.ofEntries(
          Map.entry("character varying", "varchar"),
          Map.entry("character", "char"),
          Map.entry("bpchar", "char"),
          Map.entry("timestamp with time zone", "timestamptz"),
          Map.entry("timestamp without time zone", "timestamp"),
          Map.entry("integer", "int"),
          Map.entry("int4", "int"),
          Map.entry("int8", "bigint"),
          Map.entry("int2", "smallint"),
          Map.entry("bool", "boolean"));

  /** Types that are not enums, so that a wrong one is found without asking the database. */
  private static final Set<String> BUILT_IN =
      Set.of(
          """
          uuid,text,varchar,char,bigint,int,smallint,boolean,bytea,json,jsonb,timestamptz,\
          timestamp,date,time,timetz,interval,numeric,decimal,real,double precision,name,xml,\
          inet,money,serial,bigserial"""
              .split(","));

  private static final List<String> TEXTS = List.of("text", "varchar");
  private static final List<String> IDS = List.of("uuid", "text", "varchar", "bigint", "int");
  private static final List<String> NUMBERS = List.of("int", "bigint");
  private static final List<String> TIMES = List.of("timestamptz", "timestamp");

  private ColumnType() {}

  /** The usual spelling of a type, without its length. */
  static String plain(String type) {
    String bare = type.replaceAll("\\s*\\([\\d\\s,]*\\)", "").strip();
    String lower = bare.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
    String usual = ALIASES.getOrDefault(lower, lower);
    return BUILT_IN.contains(usual) ? usual : bare;
  }

  /** The types that a column may have in this role. */
  static List<String> fitting(Role role, LifecycleKind lifecycle) {
    boolean leased = lifecycle == LifecycleKind.LEASED;
    return switch (role) {
      case ID, KEY, AGGREGATE_ID -> IDS;
      case TENANT -> List.of("uuid");
      case SEQ, VERSION, ATTEMPTS -> NUMBERS;
      case HEADERS -> List.of("jsonb", "json");
      case PAYLOAD -> List.of("json", "jsonb", "text", "varchar", "bytea");
      case CREATED_AT, DUE_AT, DELIVERED_AT, LOCKED_UNTIL, UPDATED_AT ->
          leased ? List.of("timestamptz") : TIMES;
      case PROCESSED -> List.of("boolean");
      case LOCKED_BY -> List.of("uuid", "text", "varchar");
      case NAMESPACE, TOPIC, DEDUPE_KEY, TYPE, AGGREGATE_TYPE, STATUS, LAST_ERROR -> TEXTS;
    };
  }

  /** Whether a column of this type fits the role; only the database knows which types are enums. */
  static boolean fits(Role role, String type, LifecycleKind lifecycle) {
    boolean mayBeEnum =
        role == Role.TYPE
            || role == Role.AGGREGATE_TYPE
            || (role == Role.STATUS && lifecycle != LifecycleKind.LEASED);
    return fitting(role, lifecycle).contains(type)
        || (mayBeEnum && !BUILT_IN.contains(type) && !type.contains(" "));
  }
}
