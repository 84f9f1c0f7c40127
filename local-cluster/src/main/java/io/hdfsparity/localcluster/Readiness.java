/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;

/** Tells from the NameNode's own words what is missing until a cluster can be used. */
final class Readiness {
  private static final int CONNECT_TIMEOUT_MS = 2_000;

  private Readiness() {}

  /**
   * What the NameNode lacks: out of safe mode, and so many DataNodes that are alive and have told
   * their capacity.
   *
   * @param httpAddress host and port of the NameNode's web pages
   * @param dataNodes expected number
   */
  static Optional<String> nameNodeMissing(String httpAddress, int dataNodes) {
    try {
      JsonNode info =
          ClusterMetrics.single(httpAddress, "Hadoop:service=NameNode,name=NameNodeInfo");
      int usable = 0;
      int live = 0;
      for (JsonNode node : Jmx.parse(info.path("LiveNodes").asText("{}"))) {
        live++;
        // A DataNode that has lost all its disks is alive without capacity, and so stays.
        if (node.path("capacity").asLong() > 0 || node.path("volfails").asInt() > 0) {
          usable++;
        }
      }
      if (usable < dataNodes) {
        return Optional.of(
            live
                + " of "
                + dataNodes
                + " DataNodes are registered, "
                + usable
                + " have reported their capacity");
      }
      String safeMode = info.path("Safemode").asText();
      return safeMode.isEmpty()
          ? Optional.empty()
          : Optional.of("the NameNode is in safe mode: " + safeMode);
    } catch (IOException e) {
      return Optional.of(
          "the NameNode at " + httpAddress + " does not answer (" + e.getMessage() + ")");
    }
  }

  /**
   * What is missing until so many storages have told the NameNode that was started last their
   * blocks.
   */
  static Optional<String> blockReportsMissing(String httpAddress, int storages) {
    try {
      long reports =
          ClusterMetrics.single(httpAddress, "Hadoop:service=NameNode,name=NameNodeActivity")
              .path("StorageBlockReportNumOps")
              .asLong();
      return reports >= storages
          ? Optional.empty()
          : Optional.of(reports + " of " + storages + " storages have reported their blocks");
    } catch (IOException e) {
      return Optional.of(
          "the NameNode at " + httpAddress + " does not answer (" + e.getMessage() + ")");
    }
  }

  /**
   * What is missing until a DataNode that was started has reported its blocks. It is asked itself:
   * for some seconds the NameNode takes a DataNode that was killed for alive.
   */
  static Optional<String> dataNodeMissing(String httpAddress) {
    try {
      for (JsonNode bean :
          Jmx.beans(httpAddress, "Hadoop:service=DataNode,name=DataNodeActivity-*")) {
        if (bean.path("HeartbeatsNumOps").asLong() > 0
            && bean.path("BlockReportsNumOps").asLong() > 0) {
          return Optional.empty();
        }
      }
      return Optional.of("the DataNode at " + httpAddress + " has not reported its blocks");
    } catch (IOException e) {
      return Optional.of(
          "the DataNode at " + httpAddress + " does not answer (" + e.getMessage() + ")");
    }
  }

  /** What is missing until a NameNode knows that so many DataNodes can update replicas. */
  static Optional<String> updatesMissing(String httpAddress, int dataNodes) {
    try {
      int capable =
          ClusterMetrics.single(httpAddress, "Hadoop:service=NameNode,name=EcUpdateSessions")
              .path("CapableNodes")
              .asInt();
      return capable >= dataNodes
          ? Optional.empty()
          : Optional.of(capable + " of " + dataNodes + " DataNodes can update replicas");
    } catch (IOException e) {
      return Optional.of(
          "the session manager at " + httpAddress + " does not answer (" + e.getMessage() + ")");
    }
  }

  /**
   * What is missing until a NodeManager is at the ResourceManager's disposal.
   *
   * @param managerHttpAddress of the ResourceManager's web pages
   * @param nodeAddress of the NodeManager's RPC
   */
  static Optional<String> nodeManagerMissing(String managerHttpAddress, String nodeAddress) {
    try {
      JsonNode info =
          ClusterMetrics.single(managerHttpAddress, "Hadoop:service=ResourceManager,name=RMNMInfo");
      for (JsonNode node : Jmx.parse(info.path("LiveNodeManagers").asText("[]"))) {
        if (node.path("NodeId").asText().equals(nodeAddress)
            && node.path("State").asText().equals("RUNNING")) {
          return Optional.empty();
        }
      }
      return Optional.of("the ResourceManager does not use the NodeManager " + nodeAddress);
    } catch (IOException e) {
      return Optional.of(
          "the ResourceManager at "
              + managerHttpAddress
              + " does not answer ("
              + e.getMessage()
              + ")");
    }
  }

  /** What is missing until somebody listens on a port. */
  static Optional<String> portMissing(String host, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), CONNECT_TIMEOUT_MS);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("nobody listens on " + host + ":" + port);
    }
  }
}
