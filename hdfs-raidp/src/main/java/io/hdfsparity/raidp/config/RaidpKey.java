/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

import static io.hdfsparity.bridge.config.KeyUser.CLIENT;
import static io.hdfsparity.bridge.config.KeyUser.COMMAND;
import static io.hdfsparity.bridge.config.KeyUser.DATANODE;
import static io.hdfsparity.bridge.config.KeyUser.LSTOR;
import static io.hdfsparity.bridge.config.KeyUser.NAMENODE;
import static io.hdfsparity.bridge.config.ValueForm.ADDRESS;
import static io.hdfsparity.bridge.config.ValueForm.COUNT;
import static io.hdfsparity.bridge.config.ValueForm.DIRECTORIES;
import static io.hdfsparity.bridge.config.ValueForm.DURATION;
import static io.hdfsparity.bridge.config.ValueForm.FLAG;
import static io.hdfsparity.bridge.config.ValueForm.SHARE;
import static io.hdfsparity.bridge.config.ValueForm.SIZE;
import static io.hdfsparity.bridge.config.ValueForm.WORD;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.bridge.config.KeySpec;
import io.hdfsparity.bridge.config.KeyUser;
import io.hdfsparity.bridge.config.ValueForm;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * Every key of RAIDP, with default and meaning. All start with {@link #PREFIX}; an unknown one
 * under it is an error.
 */
public enum RaidpKey implements ConfigKey {
  DISK_ROOTS(
      "disk.roots",
      DIRECTORIES,
      "",
      Set.of(DATANODE),
      "One directory for each disk of the node: the failure unit. Every entry of dfs.datanode.data.dir lies directly"
          + " under exactly one of them. Default: the parents of the data directories, in their order."),
  LSTOR_DIRS(
      "lstor.dirs",
      DIRECTORIES,
      "",
      Set.of(DATANODE, LSTOR),
      "Where the Lstor of each disk lies; the i-th belongs to the i-th disk root. Each should be on a device of its own,"
          + " one that does not fail together with its disk. One directory may serve several disks."),
  FRAME_SIZE(
      "frame.size",
      SIZE,
      "4g",
      Set.of(DATANODE),
      "Data bytes of a frame, that is of one replica of a superchunk. The same on all nodes. A multiple of unit.size, at"
          + " least max.block.size. An Lstor takes this much and about 1 percent more. frames.per.volume times this can"
          + " be protected on a data directory; the paper's example has 4g, and hdfs raidp -plan says what suits."),
  FRAMES_PER_VOLUME(
      "frames.per.volume",
      COUNT,
      "256",
      Set.of(DATANODE),
      "Frames of a new data directory, that is in how many superchunks it can be. An Lstor has room for as many of"
          + " each data directory of its disk. The same on all nodes, and not to be changed later."),
  WHEN_FULL(
      "when.full",
      WORD,
      "refuse",
      Set.of(NAMENODE),
      "For a new block of a protected directory that no superchunk has room for."
          + " refuse: the write fails. plain: a file that asks for three replicas or more gets these, without parity."),
  UNIT_SIZE(
      "unit.size",
      SIZE,
      "1m",
      Set.of(DATANODE, NAMENODE),
      "Allocation unit inside a frame; the smallest file costs one on each side. A multiple of 64k. The same on all nodes."),
  MAX_BLOCK_SIZE(
      "max.block.size",
      SIZE,
      "256m",
      Set.of(DATANODE, NAMENODE),
      "Largest block that may be created; a client that asks for more is refused. HBase asks for 256m by default."
          + " A block whose writer does not say how long it may become takes room for so much while it is open."),
  JOURNAL_SIZE(
      "journal.size",
      SIZE,
      "256m",
      Set.of(DATANODE),
      "Maximum bytes of a disk that its Lstor covers and about which the partners have not answered yet (paper section 3.4)."),
  JOURNAL_WAIT_TIMEOUT(
      "journal.wait.timeout",
      DURATION,
      "30s",
      Set.of(DATANODE),
      "How long a write waits for room in a full journal before it is refused."),
  LSTOR_RING_SIZE(
      "lstor.ring.size",
      SIZE,
      "16m",
      Set.of(DATANODE),
      "Bytes of the redo ring inside an Lstor file; used when an Lstor is formatted."),
  MODE(
      "mode",
      WORD,
      "idle",
      Set.of(DATANODE),
      "When the bytes of deleted blocks leave the parity: idle (later, when the disk is idle) or inline (at once)."),
  IDLE_AFTER(
      "idle.after",
      DURATION,
      "2s",
      Set.of(DATANODE),
      "A disk without writes for this long counts as idle."),
  LEFTOVER_REPORT_INTERVAL(
      "leftover.report.interval",
      DURATION,
      "10m",
      Set.of(DATANODE),
      "Least time between two full block reports that a DataNode sends because a frame runs out of units. Of a node that was dead HDFS lets replicas of files lie that were deleted meanwhile, until its second full report, hours later."),
  GRANULARITY(
      "granularity",
      WORD,
      "block",
      Set.of(DATANODE),
      "What is XORed into the parity at a time: block (whole blocks, when they are complete) or packet."),
  REPORT_INTERVAL(
      "report.interval",
      DURATION,
      "1s",
      Set.of(DATANODE, LSTOR, NAMENODE),
      "Pause between two reports of a DataNode or Lstor daemon to the manager."),
  PEER_TIMEOUT(
      "peer.timeout",
      DURATION,
      "10s",
      Set.of(DATANODE, LSTOR, NAMENODE, COMMAND),
      "How long a call between the daemons of RAIDP may take."),
  PLACEMENT_QUERY_TIMEOUT(
      "placement.query.timeout",
      DURATION,
      "25s",
      Set.of(DATANODE),
      "How long a write waits for the active NameNode to say in which superchunk its block is; then it is refused. The"
          + " DataNodes of a pipeline may wait one after the other: their number times this is to be less than"
          + " dfs.client.socket-timeout (60s)."),
  LSTOR_RPC_ADDRESS(
      "lstor.rpc-address",
      ADDRESS,
      "0.0.0.0:9878",
      Set.of(LSTOR),
      "Where the Lstor daemon listens. Port 0: any."),
  LSTOR_HANDLER_COUNT(
      "lstor.handler.count", COUNT, "8", Set.of(LSTOR), "RPC handlers of the Lstor daemon."),
  GRANT_LEASE(
      "grant.lease",
      DURATION,
      "60s",
      Set.of(NAMENODE),
      "How long the manager keeps units for a block that it has placed but that no frame has reserved yet."),
  NODE_STALE_TIMEOUT(
      "node.stale.timeout",
      DURATION,
      "10s",
      Set.of(NAMENODE),
      "A DataNode that has not reported for this long gets no new blocks."),
  NODE_DEAD_TIMEOUT(
      "node.dead.timeout",
      DURATION,
      "10m",
      Set.of(NAMENODE),
      "A DataNode that has not reported for this long counts as dead: its superchunks are degraded and"
          + " may be recovered elsewhere."),
  LAYOUT_SPARE_SHARE(
      "layout.spare.share",
      SHARE,
      "0.1",
      Set.of(NAMENODE),
      "Share of all frames that a layout leaves unassigned, so that recovery has room."),
  LAYOUT_RECOVERY_ROOM(
      "layout.recovery.room.disks",
      COUNT,
      "2",
      Set.of(NAMENODE),
      "How many failed disks a layout leaves room for, so that their superchunks find a new place by all rules: 0, 1 or 2."
          + " Small clusters pay for room with capacity; -plan -room says how much. With 0, or a spare share of 0, recovery"
          + " may have to wait for a new disk."),
  COEFFICIENTS(
      "coefficients",
      WORD,
      "three",
      Set.of(NAMENODE),
      "How many failed disks can be decoded: three (one side of a new superchunk enters its parity times 2 in GF(2^8),"
          + " the other times 1) or two (both times 1, as in the paper). Superchunks that there are keep what they have until one side gets a new partner. The same on all NameNodes."),
  CLIENT_DEGRADED_READS(
      "client.degraded.reads",
      FLAG,
      "true",
      Set.of(CLIENT),
      "Whether the suite's client reads blocks whose replicas are all lost by having a DataNode decode them, before they"
          + " are rebuilt. With false it gets the error that other clients get."),
  RECOVERY_AUTO(
      "recovery.auto",
      FLAG,
      "false",
      Set.of(NAMENODE),
      "Start recovery without being asked when a disk or node fails."),
  RECOVERY_CHUNK_SIZE(
      "recovery.chunk.size",
      SIZE,
      "4m",
      Set.of(NAMENODE),
      "Bytes that a rebuild asks each source for at a time (paper table 2: 4m, 64m). A multiple of 64k."),
  RECOVERY_LOCK(
      "recovery.lock",
      WORD,
      "range",
      Set.of(NAMENODE),
      "What a rebuild thread locks while it XORs: range or superchunk (paper table 2)."),
  RECOVERY_THROTTLE(
      "recovery.throttle",
      SIZE,
      "0",
      Set.of(NAMENODE),
      "Most bytes a second that one rebuild reads, at least 64k; 0: no limit."),
  REPAIR_MAX_STREAMS(
      "repair.max.streams",
      COUNT,
      "32",
      Set.of(NAMENODE),
      "How many copies of missing replicas a DataNode may have to make at once. HDFS's own limits hold too:"
          + " dfs.namenode.replication.max-streams for what a DataNode works at,"
          + " dfs.namenode.replication.max-streams-hard-limit for what waits for its next heartbeat."
          + " A copy counts until the target has reported the replica, or"
          + " dfs.namenode.reconstruction.pending.timeout-sec has passed."),
  REPAIR_INTERVAL(
      "repair.interval",
      DURATION,
      "1s",
      Set.of(NAMENODE),
      "Pause between two rounds in which the NameNode orders copies of missing replicas.");

  /** Prefix of all names. */
  public static final String PREFIX = SUITE_PREFIX + "raidp.";

  private final KeySpec spec;

  RaidpKey(String suffix, ValueForm form, String defaultValue, Set<KeyUser> users, String meaning) {
    spec = new KeySpec(SUITE_PREFIX + "raidp." + suffix, form, defaultValue, users, meaning);
  }

  @Override
  public KeySpec spec() {
    return spec;
  }

  /**
   * Reads these keys.
   *
   * @throws IllegalArgumentException naming a key that looks like one of these and is none
   */
  static KeyReader reader(Configuration conf) {
    KeyReader keys = new KeyReader(conf);
    keys.refuseUnknown(List.of(PREFIX), List.of(values()), Set.of());
    return keys;
  }
}
