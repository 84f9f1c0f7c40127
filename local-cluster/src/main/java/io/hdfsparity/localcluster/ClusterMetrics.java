/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counters of all daemons of a cluster at one moment, from their {@code /jmx} pages. Differences of
 * two readings say what happened in between. A value is at most 50 ms old. Counters of a daemon
 * begin at 0 when it starts.
 *
 * @param dataNodes counters of each DataNode that answered, by name
 * @param silent DataNodes that did not answer
 * @param liveNodes DataNodes that the NameNode holds for alive
 * @param usedBytes bytes that the NameNode knows to be used by blocks, replicas counted
 * @param capacityBytes capacity that the NameNode knows
 * @param underReplicatedBlocks blocks with too few replicas
 * @param missingBlocks blocks without any replica
 */
public record ClusterMetrics(
    Map<String, DataNodeCounters> dataNodes,
    List<String> silent,
    int liveNodes,
    long usedBytes,
    long capacityBytes,
    long underReplicatedBlocks,
    long missingBlocks) {

  /**
   * Counters of a DataNode. On a real cluster every byte that it receives or sends for a block
   * crosses the network, but for those of a client on the same host.
   *
   * @param receivedBytes bytes of blocks received from clients and other DataNodes (DataNodeMetrics
   *     bytesWritten)
   * @param sentBytes bytes of blocks sent (bytesRead)
   * @param rpcBytes bytes in and out of its RPC servers, the suite's among them (RpcMetrics)
   * @param compileMs time that its JVM's compiler threads have worked, in milliseconds
   */
  public record DataNodeCounters(
      long receivedBytes, long sentBytes, long rpcBytes, long compileMs) {
    static final DataNodeCounters NONE = new DataNodeCounters(0, 0, 0, 0);

    /** The growth since an earlier reading; counters that are smaller began anew with a restart. */
    DataNodeCounters since(DataNodeCounters earlier) {
      if (receivedBytes < earlier.receivedBytes
          || sentBytes < earlier.sentBytes
          || rpcBytes < earlier.rpcBytes
          || compileMs < earlier.compileMs) {
        return this;
      }
      return new DataNodeCounters(
          receivedBytes - earlier.receivedBytes,
          sentBytes - earlier.sentBytes,
          rpcBytes - earlier.rpcBytes,
          compileMs - earlier.compileMs);
    }

    DataNodeCounters plus(DataNodeCounters other) {
      return new DataNodeCounters(
          receivedBytes + other.receivedBytes,
          sentBytes + other.sentBytes,
          rpcBytes + other.rpcBytes,
          compileMs + other.compileMs);
    }
  }

  /** The sum over all DataNodes. */
  public DataNodeCounters total() {
    return dataNodes.values().stream().reduce(DataNodeCounters.NONE, DataNodeCounters::plus);
  }

  /** What happened since an earlier reading, over the DataNodes that answer now. */
  public DataNodeCounters since(ClusterMetrics earlier) {
    DataNodeCounters sum = DataNodeCounters.NONE;
    for (Map.Entry<String, DataNodeCounters> entry : dataNodes.entrySet()) {
      DataNodeCounters before = earlier.dataNodes.get(entry.getKey());
      sum = sum.plus(before == null ? entry.getValue() : entry.getValue().since(before));
    }
    return sum;
  }

  /**
   * Reads the counters of a cluster.
   *
   * @throws IOException when the NameNode does not answer
   */
  static ClusterMetrics read(ClusterSpec spec, PortMap ports) throws IOException {
    Map<String, DataNodeCounters> counters = new TreeMap<>();
    List<String> silent = new ArrayList<>();
    for (int node = 0; node < spec.nodes(); node++) {
      Daemon daemon = new Daemon(DaemonRole.DATANODE, node);
      try {
        counters.put(daemon.name(), dataNode(ports.address(daemon, Purpose.HTTP)));
      } catch (IOException dead) {
        silent.add(daemon.name());
      }
    }
    String nameNode = ports.address(new NameNodes(spec, ports).leading(), Purpose.HTTP);
    JsonNode state = single(nameNode, "Hadoop:service=NameNode,name=FSNamesystemState");
    JsonNode system = single(nameNode, "Hadoop:service=NameNode,name=FSNamesystem");
    return new ClusterMetrics(
        Map.copyOf(counters),
        List.copyOf(silent),
        state.path("NumLiveDataNodes").asInt(),
        state.path("CapacityUsed").asLong(),
        state.path("CapacityTotal").asLong(),
        state.path("UnderReplicatedBlocks").asLong(),
        system.path("MissingBlocks").asLong());
  }

  private static DataNodeCounters dataNode(String address) throws IOException {
    long received = 0;
    long sent = 0;
    long rpc = 0;
    for (JsonNode bean : Jmx.beans(address, "Hadoop:service=DataNode,*")) {
      String name = bean.path("name").asText();
      if (name.contains("name=DataNodeActivity-")) {
        received += bean.path("BytesWritten").asLong();
        sent += bean.path("BytesRead").asLong();
      } else if (name.contains("name=RpcActivityForPort")) {
        rpc += bean.path("ReceivedBytes").asLong() + bean.path("SentBytes").asLong();
      }
    }
    long compileMs =
        single(address, "java.lang:type=Compilation").path("TotalCompilationTime").asLong();
    return new DataNodeCounters(received, sent, rpc, compileMs);
  }

  static JsonNode single(String address, String name) throws IOException {
    List<JsonNode> beans = Jmx.beans(address, name);
    if (beans.size() != 1) {
      throw new IOException(
          "Cannot read metrics: beans="
              + beans.size()
              + ", expected 1 named "
              + name
              + " at "
              + address);
    }
    return beans.get(0);
  }
}
