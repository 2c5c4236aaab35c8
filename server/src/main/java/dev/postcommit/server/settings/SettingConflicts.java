package dev.postcommit.server.settings;

import dev.postcommit.layout.Lifecycle.OnDelivery;
import java.util.List;
import java.util.regex.Pattern;

/** Refuses settings that another one leaves without any effect. */
public final class SettingConflicts {
  private static final Pattern USER_IN_URL = Pattern.compile(".*[?&]user=.*");
  private static final Pattern PASSWORD_IN_URL = Pattern.compile(".*[?&]password=.*");

  private SettingConflicts() {}

  /**
   * Looks at the settings of the process.
   *
   * @throws SettingException if two of them contradict each other
   */
  public static void checkProcess(Settings settings) {
    if (settings.get(ProcessSettings.HTTP_PORT) == ProcessSettings.OFF) {
      refuse(settings, ProcessSettings.HTTP_ADDRESS, "http-port is off", "--http-port 8580");
    }
    if (settings.get(ProcessSettings.ADMIN_PORT) == ProcessSettings.OFF) {
      refuse(settings, ProcessSettings.ADMIN_TOKEN, "admin-port is off", "--admin-port 8581");
      refuse(settings, ProcessSettings.ADMIN_TOKEN_FILE, "admin-port is off", "--admin-port 8581");
      refuse(settings, ProcessSettings.ADMIN_ADDRESS, "admin-port is off", "--admin-port 8581");
    }
  }

  /**
   * Looks at the settings of one relay.
   *
   * @throws SettingException if two of them contradict each other
   */
  public static void checkRelay(Settings settings) {
    if (settings.get(ServerSettings.ON_DELIVERY) == OnDelivery.DELETE) {
      refuse(
          settings,
          ServerSettings.RETENTION,
          "on-delivery is delete, so that no row is kept",
          "--on-delivery keep");
    }
    if (ChosenLayout.of(settings).isLog()) {
      String why = "a table of the log layout is read as a whole, by one relay";
      refuse(settings, ServerSettings.NAMESPACE, why, "--layout native");
      refuse(settings, ServerSettings.TENANT, why, "--layout native");
    }
    checkStandbys(settings);
    String url = settings.get(ServerSettings.DATABASE_URL);
    if (USER_IN_URL.matcher(url).matches()) {
      refuse(settings, ServerSettings.DATABASE_USER, "database-url names a user", "a url without");
    }
    if (PASSWORD_IN_URL.matcher(url).matches()) {
      String why = "database-url has a password";
      refuse(settings, ServerSettings.DATABASE_PASSWORD, why, "a url without");
      refuse(settings, ServerSettings.DATABASE_PASSWORD_FILE, why, "a url without");
    }
  }

  private static void checkStandbys(Settings settings) {
    int count = settings.get(ServerSettings.WAIT_FOR_STANDBYS);
    if (count == 0) {
      refuse(
          settings,
          ServerSettings.STANDBY_NAMES,
          "wait-for-standbys is 0",
          "--wait-for-standbys 1");
      return;
    }
    List<String> names = settings.find(ServerSettings.STANDBY_NAMES).orElse(List.of());
    if (names.size() < count) {
      throw new SettingException(
          "wait-for-standbys is %d, and standby-names has %d %s; %s"
              .formatted(
                  count,
                  names.size(),
                  names.size() == 1 ? "name" : "names",
                  ServerSettings.STANDBY_NAMES.howToSet()));
    }
  }

  private static void refuse(Settings settings, Setting<?> setting, String why, String instead) {
    if (settings.isGiven(setting)) {
      throw new SettingException(
          "%s is given, and %s; leave %1$s out, or give %s"
              .formatted(setting.name(), why, instead));
    }
  }
}
