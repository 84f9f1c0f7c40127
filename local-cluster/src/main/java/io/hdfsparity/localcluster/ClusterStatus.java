/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What a cluster is doing.
 *
 * @param dir its folder
 * @param mode stock, raidp or izs
 * @param processes its processes, NameNodes first
 * @param disks its disks
 * @param fileSystem the URI of its file system
 * @param activeNameNode name of the active NameNode; empty when none says that it is
 * @param webAddress the address of its web pages, or of those of the first
 * @param metrics what the daemons say; null when the NameNode does not answer
 */
public record ClusterStatus(
    String dir,
    String mode,
    List<ProcessStatus> processes,
    List<DiskStatus> disks,
    String fileSystem,
    String activeNameNode,
    String webAddress,
    ClusterMetrics metrics) {

  /** State of a process. */
  public enum ProcessState {
    RUNNING,
    /** It was started and ended without having been told to. */
    DEAD,
    STOPPED
  }

  /**
   * A process of the cluster.
   *
   * @param pid process id, 0 when it does not run
   * @param rack rack of its node, "-" for NameNodes and JournalNodes
   */
  public record ProcessStatus(
      String name, ProcessState state, long pid, String host, String rack, String log) {}

  /** A simulated disk. */
  public record DiskStatus(int node, int disk, String root, boolean failed) {
    /** As dn0/disk1. */
    public String name() {
      return "dn" + node + "/disk" + disk;
    }
  }

  /** True when everything that belongs to the cluster runs. */
  public boolean allRunning() {
    return processes.stream().allMatch(process -> process.state() == ProcessState.RUNNING);
  }

  /** True when anything of the cluster runs. */
  public boolean anyRunning() {
    return processes.stream().anyMatch(process -> process.state() == ProcessState.RUNNING);
  }

  /** The status of a process, if the cluster has one of that name. */
  public Optional<ProcessStatus> process(String name) {
    return processes.stream().filter(process -> process.name().equals(name)).findFirst();
  }

  /** As JSON. */
  public String toJson() throws IOException {
    return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(this);
  }

  /** As text for people. */
  public String toText() {
    StringBuilder out = new StringBuilder();
    out.append("Cluster   ").append(dir).append(" (").append(mode).append(")\n");
    out.append("Files     ")
        .append(fileSystem)
        .append("   web http://")
        .append(webAddress)
        .append("/\n");
    out.append("Active    ")
        .append(activeNameNode.isEmpty() ? "no NameNode" : activeNameNode)
        .append('\n');
    for (ProcessStatus process : processes) {
      out.append(
          String.format(
              "  %-8s %-8s %-8s %-12s %s%n",
              process.name(),
              process.state(),
              process.pid() == 0 ? "-" : String.valueOf(process.pid()),
              process.host(),
              process.rack()));
    }
    List<DiskStatus> failed = disks.stream().filter(DiskStatus::failed).toList();
    out.append("Disks     ")
        .append(disks.size())
        .append(", failed: ")
        .append(
            failed.isEmpty()
                ? "none"
                : String.join(", ", failed.stream().map(DiskStatus::name).toList()));
    out.append('\n');
    if (metrics == null) {
      return out.append("HDFS      the NameNode does not answer\n").toString();
    }
    ClusterMetrics.DataNodeCounters total = metrics.total();
    out.append(
        String.format(
            "HDFS      %d live DataNodes, %s of %s used, %d under-replicated, %d missing blocks%n",
            metrics.liveNodes(),
            Sizes.text(metrics.usedBytes()),
            Sizes.text(metrics.capacityBytes()),
            metrics.underReplicatedBlocks(),
            metrics.missingBlocks()));
    out.append(
        String.format(
            "Network   DataNodes received %s and sent %s of blocks, %s by RPC, since they started%n",
            Sizes.text(total.receivedBytes()),
            Sizes.text(total.sentBytes()),
            Sizes.text(total.rpcBytes())));
    return out.toString();
  }
}
