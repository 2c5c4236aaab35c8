package dev.postcommit.pubsub;

import com.google.api.gax.core.CredentialsProvider;
import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.cloud.pubsub.v1.TopicAdminSettings;
import io.grpc.ManagedChannelBuilder;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of Pub/Sub and the credentials to use. Immutable; it connects to nothing.
 *
 * <p>The default is Google's own service, with the application's default credentials. If the
 * environment variable {@code PUBSUB_EMULATOR_HOST} is set, the server that it names is used
 * instead, without encryption and credentials, as Google's clients in other languages do.
 */
public final class PubSubConnection {
  /** The environment variable that names a server to use instead of Google's. */
  public static final String EMULATOR_HOST = "PUBSUB_EMULATOR_HOST";

  private static final Pattern PROJECT = Pattern.compile("[a-z0-9.:-]{1,100}");
  private static final Pattern ADDRESS = Pattern.compile("[^\\s/]+:[0-9]{1,5}");
  private static final Duration KEEP_ALIVE = Duration.ofMinutes(5);

  private final String project;
  private final @Nullable String emulator;
  private final @Nullable String endpoint;
  private final @Nullable CredentialsProvider credentials;

  private PubSubConnection(
      String project,
      @Nullable String emulator,
      @Nullable String endpoint,
      @Nullable CredentialsProvider credentials) {
    this.project = project;
    this.emulator = emulator;
    this.endpoint = endpoint;
    this.credentials = credentials;
  }

  /**
   * The Pub/Sub of a project.
   *
   * @param project the id of the Google Cloud project, to which short names of topics and
   *     subscriptions belong
   * @throws IllegalArgumentException if that cannot be a project's id, or {@code
   *     PUBSUB_EMULATOR_HOST} is set and is no address
   */
  public static PubSubConnection of(String project) {
    return of(project, System.getenv(EMULATOR_HOST));
  }

  /** The same, with a value of the environment variable. */
  static PubSubConnection of(String project, @Nullable String emulatorHost) {
    if (!PROJECT.matcher(project).matches()) {
      throw new IllegalArgumentException(
          "'%s' is no id of a Google Cloud project; one looks like my-project-123"
              .formatted(project));
    }
    PubSubConnection google = new PubSubConnection(project, null, null, null);
    return emulatorHost == null || emulatorHost.isBlank()
        ? google
        : google.emulator(checkAddress(EMULATOR_HOST, emulatorHost.strip()));
  }

  /**
   * The same on a server without encryption and credentials, such as the emulator or that of the
   * testkit.
   *
   * @param hostAndPort its address, as {@code localhost:8085}
   */
  public PubSubConnection emulator(String hostAndPort) {
    return new PubSubConnection(
        project, checkAddress("the emulator", hostAndPort), endpoint, credentials);
  }

  /**
   * The same by another of Google's endpoints, such as that of a region, as {@code
   * europe-west1-pubsub.googleapis.com:443}. Messages of one key keep their order only if they are
   * published in one region.
   */
  public PubSubConnection endpoint(String hostAndPort) {
    return new PubSubConnection(
        project, emulator, checkAddress("the endpoint", hostAndPort), credentials);
  }

  /** The same with other credentials than the application's default. */
  public PubSubConnection credentials(CredentialsProvider provider) {
    return new PubSubConnection(project, emulator, endpoint, provider);
  }

  private static String checkAddress(String name, String address) {
    if (!ADDRESS.matcher(address).matches()) {
      throw new IllegalArgumentException(
          "%s is '%s', and must be host:port".formatted(name, address));
    }
    return address;
  }

  /** The project's id. */
  public String project() {
    return project;
  }

  /** The full name of a topic, given by its id in the project or its full name. */
  public String topic(String name) {
    return fullName("topics", name);
  }

  /** The full name of a subscription, given by its id in the project or its full name. */
  public String subscription(String name) {
    return fullName("subscriptions", name);
  }

  private String fullName(String kind, String name) {
    return name.startsWith("projects/") ? name : "projects/%s/%s/%s".formatted(project, kind, name);
  }

  /**
   * The channels of Google's clients to this server.
   *
   * @param configure adds to the settings of each channel
   */
  public InstantiatingGrpcChannelProvider.Builder channels(
      UnaryOperator<ManagedChannelBuilder<?>> configure) {
    InstantiatingGrpcChannelProvider.Builder channels =
        TopicAdminSettings.defaultGrpcTransportProviderBuilder()
            .setKeepAliveTimeDuration(KEEP_ALIVE)
            .setChannelConfigurator(
                builder -> configure.apply(emulator == null ? builder : builder.usePlaintext()));
    if (emulator != null) {
      channels.setEndpoint(emulator);
    } else if (endpoint != null) {
      channels.setEndpoint(endpoint);
    }
    return channels;
  }

  /** The credentials of Google's clients to this server. */
  public CredentialsProvider credentialsProvider() {
    if (emulator != null) {
      return NoCredentialsProvider.create();
    }
    return credentials != null
        ? credentials
        : TopicAdminSettings.defaultCredentialsProviderBuilder().build();
  }

  /** Names the server and the project. */
  @Override
  public String toString() {
    if (emulator != null) {
      return "Pub/Sub at " + emulator + ", project " + project;
    }
    return endpoint != null
        ? "Pub/Sub at " + endpoint + ", project " + project
        : "Pub/Sub, project " + project;
  }
}
