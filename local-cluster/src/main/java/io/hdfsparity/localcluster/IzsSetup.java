/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import io.hdfsparity.izs.level.LevelStatus;
import io.hdfsparity.izs.wire.LevelClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicyInfo;
import org.apache.hadoop.hdfs.util.ECPolicyLoader;

/**
 * What a cluster with codec izs has beyond configuration: that its plugins are in service, which
 * HDFS itself does not insist on, and policies.
 */
final class IzsSetup {
  private static final String POLICIES = "user_ec_policies.xml";
  private static final int TIMEOUT_MS = 10_000;
  private final Configuration conf;

  IzsSetup(Configuration conf) {
    this.conf = conf;
  }

  /** What is missing until a level manager answers and the NameNode is guarded. */
  Optional<String> levelsMissing(InetSocketAddress manager) {
    try (LevelClient client = new LevelClient(manager, conf, TIMEOUT_MS)) {
      LevelStatus status = client.status();
      return status.readiness().guarded()
          ? Optional.empty()
          : Optional.of("the NameNode's map of blocks is not guarded");
    } catch (IOException e) {
      return Optional.of("the level manager does not answer (" + e.getMessage() + ")");
    }
  }

  /** What is missing until the repair plugin of a DataNode is in service. */
  static Optional<String> repairMissing(String name, String httpAddress) {
    try {
      RepairCounters counters = RepairCounters.read(httpAddress);
      return counters.nodesInService() == 1
          ? Optional.empty()
          : Optional.of("repair of codec izs is not in service in " + name);
    } catch (IOException e) {
      return Optional.of(name + " does not answer (" + e.getMessage() + ")");
    }
  }

  /**
   * Adds the policies of codec izs that are not there, and enables those that so many DataNodes can
   * hold.
   *
   * @param file where the description of the policies is left, for {@code hdfs ec -addPolicies}
   * @throws IOException when the NameNode refuses one
   */
  void policies(Path file, int nodes) throws IOException {
    Files.createDirectories(file.getParent());
    try (InputStream in = IzsSetup.class.getResourceAsStream("/" + POLICIES)) {
      if (in == null) {
        throw new IOException(
            "Cannot add policies: resource=" + POLICIES + ", expected it on the class path");
      }
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    List<ErasureCodingPolicy> wanted = new ECPolicyLoader().loadPolicy(file.toString());
    try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(conf)) {
      add(fs, wanted);
      Collection<ErasureCodingPolicyInfo> known = fs.getAllErasureCodingPolicies();
      Set<ErasureCodingPolicy> disabled =
          known.stream()
              .filter(info -> !info.isEnabled())
              .map(ErasureCodingPolicyInfo::getPolicy)
              .collect(Collectors.toSet());
      for (ErasureCodingPolicy policy : disabled) {
        boolean isOurs = wanted.stream().anyMatch(each -> isSame(each, policy));
        if (isOurs && policy.getNumDataUnits() + policy.getNumParityUnits() <= nodes) {
          fs.enableErasureCodingPolicy(policy.getName());
        }
      }
    }
  }

  private static void add(DistributedFileSystem fs, List<ErasureCodingPolicy> wanted)
      throws IOException {
    Collection<ErasureCodingPolicyInfo> known = fs.getAllErasureCodingPolicies();
    List<ErasureCodingPolicy> missing =
        wanted.stream()
            .filter(each -> known.stream().noneMatch(info -> isSame(each, info.getPolicy())))
            .toList();
    if (missing.isEmpty()) {
      return;
    }
    for (AddErasureCodingPolicyResponse response :
        fs.addErasureCodingPolicies(missing.toArray(ErasureCodingPolicy[]::new))) {
      if (!response.isSucceed()) {
        throw new IOException(
            "Cannot add policies: policy="
                + response.getPolicy().getName()
                + ", expected the NameNode to take it: "
                + response.getErrorMsg());
      }
    }
  }

  /** Ids are the NameNode's choice, so equality is of no use. */
  private static boolean isSame(ErasureCodingPolicy one, ErasureCodingPolicy other) {
    return one.getSchema().equals(other.getSchema()) && one.getCellSize() == other.getCellSize();
  }
}
