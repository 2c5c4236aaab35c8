package dev.postcommit.kafka;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** What a user may do with topics, and what these are set to. */
final class Acls implements AutoCloseable {
  private final String user;
  private final Admin admin;

  Acls(String bootstrapServers, String user) {
    this.user = user;
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
  }

  void grant(String topic, AclOperation operation) {
    try {
      admin.createAcls(List.of(binding(topic, operation))).all().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  void revoke(String topic, AclOperation operation) {
    try {
      admin.deleteAcls(List.of(binding(topic, operation).toFilter())).all().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  void deleteTopic(String topic) {
    try {
      admin.deleteTopics(List.of(topic)).all().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  void configure(String topic, String setting, String value) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp set = new AlterConfigOp(new ConfigEntry(setting, value), OpType.SET);
    try {
      admin.incrementalAlterConfigs(Map.of(resource, List.of(set))).all().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private AclBinding binding(String topic, AclOperation operation) {
    return new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
        new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
  }

  @Override
  public void close() {
    admin.close();
  }
}
