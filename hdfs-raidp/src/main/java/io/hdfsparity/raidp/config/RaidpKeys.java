/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

import static io.hdfsparity.raidp.config.ConfigKey.Kind.ADDRESS;
import static io.hdfsparity.raidp.config.ConfigKey.Kind.COUNT;
import static io.hdfsparity.raidp.config.ConfigKey.Kind.DURATION;
import static io.hdfsparity.raidp.config.ConfigKey.Kind.FLAG;
import static io.hdfsparity.raidp.config.ConfigKey.Kind.PATHS;
import static io.hdfsparity.raidp.config.ConfigKey.Kind.SHARE;
import static io.hdfsparity.raidp.config.ConfigKey.Kind.SIZE;
import static io.hdfsparity.raidp.config.ConfigKey.Kind.WORD;
import static io.hdfsparity.raidp.config.ConfigKey.Reader.ADMIN;
import static io.hdfsparity.raidp.config.ConfigKey.Reader.DATANODE;
import static io.hdfsparity.raidp.config.ConfigKey.Reader.LSTOR;
import static io.hdfsparity.raidp.config.ConfigKey.Reader.NAMENODE;

import java.util.List;
import java.util.Set;

/**
 * Every key of RAIDP, with default and meaning; {@code conf/raidp-default.xml} and the reference
 * are made from here.
 */
public final class RaidpKeys {
  /** All keys start with this; an unknown one under it is an error. */
  public static final String PREFIX = "hdfsparity.raidp.";

  public static final ConfigKey DISK_ROOTS =
      new ConfigKey(
          PREFIX + "disk.roots",
          PATHS,
          "",
          Set.of(DATANODE),
          "One directory for each disk of the node: the failure unit. Every entry of dfs.datanode.data.dir lies directly"
              + " under exactly one of them and is one frame.");
  public static final ConfigKey LSTOR_DIRS =
      new ConfigKey(
          PREFIX + "lstor.dirs",
          PATHS,
          "",
          Set.of(DATANODE, LSTOR),
          "Where the Lstor of each disk lies; the i-th belongs to the i-th disk root. Each should be on a device of its own,"
              + " one that does not fail together with its disk. One directory may serve several disks.");
  public static final ConfigKey FRAME_SIZE =
      new ConfigKey(
          PREFIX + "frame.size",
          SIZE,
          "256m",
          Set.of(DATANODE),
          "Data bytes of a frame, that is of one replica of a superchunk. The same on all nodes. A multiple of unit.size, at"
              + " least max.block.size. An Lstor takes this much and about 1 percent more. The paper used 6g; in production"
              + " choose it so that a DataNode has at most 64 frames.");
  public static final ConfigKey UNIT_SIZE =
      new ConfigKey(
          PREFIX + "unit.size",
          SIZE,
          "1m",
          Set.of(DATANODE, NAMENODE),
          "Allocation unit inside a frame; the smallest file costs one on each side. A multiple of 64k. The same on all nodes.");
  public static final ConfigKey MAX_BLOCK_SIZE =
      new ConfigKey(
          PREFIX + "max.block.size",
          SIZE,
          "128m",
          Set.of(DATANODE, NAMENODE),
          "Largest block that may be created; a client that asks for more is refused.");
  public static final ConfigKey JOURNAL_SIZE =
      new ConfigKey(
          PREFIX + "journal.size",
          SIZE,
          "128m",
          Set.of(DATANODE),
          "Most bytes of a disk that its Lstor covers but the partners have not acknowledged yet (paper section 3.4).");
  public static final ConfigKey JOURNAL_WAIT_TIMEOUT =
      new ConfigKey(
          PREFIX + "journal.wait.timeout",
          DURATION,
          "30s",
          Set.of(DATANODE),
          "How long a write waits for room in a full journal before it is refused.");
  public static final ConfigKey LSTOR_RING_SIZE =
      new ConfigKey(
          PREFIX + "lstor.ring.size",
          SIZE,
          "16m",
          Set.of(DATANODE),
          "Bytes of the redo ring inside an Lstor file; used when an Lstor is formatted.");
  public static final ConfigKey MODE =
      new ConfigKey(
          PREFIX + "mode",
          WORD,
          "idle",
          Set.of(DATANODE),
          "When the bytes of deleted blocks leave the parity: idle (later, when the disk is idle) or inline (at once).");
  public static final ConfigKey IDLE_AFTER =
      new ConfigKey(
          PREFIX + "idle.after",
          DURATION,
          "2s",
          Set.of(DATANODE),
          "A disk without writes for this long counts as idle.");
  public static final ConfigKey LEFTOVER_REPORT_INTERVAL =
      new ConfigKey(
          PREFIX + "leftover.report.interval",
          DURATION,
          "10m",
          Set.of(DATANODE),
          "Least time between two full block reports that a DataNode sends because a frame runs out of units. Of a node that was dead HDFS lets replicas of files lie that were deleted meanwhile, until its second full report, hours later.");
  public static final ConfigKey GRANULARITY =
      new ConfigKey(
          PREFIX + "granularity",
          WORD,
          "block",
          Set.of(DATANODE),
          "What is XORed into the parity at a time: block (whole blocks, when they are complete) or packet.");
  public static final ConfigKey REPORT_INTERVAL =
      new ConfigKey(
          PREFIX + "report.interval",
          DURATION,
          "1s",
          Set.of(DATANODE, LSTOR, NAMENODE),
          "Pause between two reports of a DataNode or Lstor daemon to the manager.");
  public static final ConfigKey MANAGER_RPC_ADDRESS =
      new ConfigKey(
          PREFIX + "manager.rpc-address",
          ADDRESS,
          "0.0.0.0:9877",
          Set.of(NAMENODE, DATANODE, LSTOR, ADMIN),
          "Where the manager in the NameNode listens. With 0.0.0.0 clients take the host of the NameNode's own RPC address."
              + " With several NameNodes: one key each, followed by .<nameservice>.<namenode id>, or one port for all.");
  public static final ConfigKey MANAGER_HANDLER_COUNT =
      new ConfigKey(
          PREFIX + "manager.handler.count",
          COUNT,
          "10",
          Set.of(NAMENODE),
          "RPC handlers of the manager.");
  public static final ConfigKey PEER_RPC_ADDRESS =
      new ConfigKey(
          PREFIX + "peer.rpc-address",
          ADDRESS,
          "0.0.0.0:9876",
          Set.of(DATANODE),
          "Where a DataNode listens for the partners of its frames and for the manager. Port 0: any.");
  public static final ConfigKey PEER_HANDLER_COUNT =
      new ConfigKey(
          PREFIX + "peer.handler.count",
          COUNT,
          "16",
          Set.of(DATANODE),
          "RPC handlers of the peer service.");
  public static final ConfigKey PEER_TIMEOUT =
      new ConfigKey(
          PREFIX + "peer.timeout",
          DURATION,
          "10s",
          Set.of(DATANODE, LSTOR, NAMENODE, ADMIN),
          "How long a call between the daemons of RAIDP may take.");
  public static final ConfigKey LSTOR_RPC_ADDRESS =
      new ConfigKey(
          PREFIX + "lstor.rpc-address",
          ADDRESS,
          "0.0.0.0:9878",
          Set.of(LSTOR),
          "Where the Lstor daemon listens. Port 0: any.");
  public static final ConfigKey LSTOR_HANDLER_COUNT =
      new ConfigKey(
          PREFIX + "lstor.handler.count",
          COUNT,
          "8",
          Set.of(LSTOR),
          "RPC handlers of the Lstor daemon.");
  public static final ConfigKey GRANT_LEASE =
      new ConfigKey(
          PREFIX + "grant.lease",
          DURATION,
          "60s",
          Set.of(NAMENODE),
          "How long the manager keeps units for a block that it has placed but that no frame has reserved yet.");
  public static final ConfigKey NODE_STALE_TIMEOUT =
      new ConfigKey(
          PREFIX + "node.stale.timeout",
          DURATION,
          "10s",
          Set.of(NAMENODE),
          "A DataNode that has not reported for this long gets no new blocks.");
  public static final ConfigKey NODE_DEAD_TIMEOUT =
      new ConfigKey(
          PREFIX + "node.dead.timeout",
          DURATION,
          "10m",
          Set.of(NAMENODE),
          "A DataNode that has not reported for this long counts as dead: its superchunks are degraded and"
              + " may be recovered elsewhere.");
  public static final ConfigKey LAYOUT_SPARE_SHARE =
      new ConfigKey(
          PREFIX + "layout.spare.share",
          SHARE,
          "0.1",
          Set.of(NAMENODE),
          "Share of all frames that a layout leaves unassigned, so that recovery has room.");
  public static final ConfigKey LAYOUT_RECOVERY_ROOM =
      new ConfigKey(
          PREFIX + "layout.recovery.room.disks",
          COUNT,
          "2",
          Set.of(NAMENODE),
          "How many failed disks a layout leaves room for, so that their superchunks find a new place by all rules: 0, 1 or 2."
              + " Small clusters pay for room with capacity; -plan -room says how much. With 0, or a spare share of 0, recovery"
              + " may have to wait for a new disk.");
  public static final ConfigKey RECOVERY_AUTO =
      new ConfigKey(
          PREFIX + "recovery.auto",
          FLAG,
          "false",
          Set.of(NAMENODE),
          "Start recovery without being asked when a disk or node fails.");
  public static final ConfigKey RECOVERY_CHUNK_SIZE =
      new ConfigKey(
          PREFIX + "recovery.chunk.size",
          SIZE,
          "4m",
          Set.of(NAMENODE),
          "Bytes that a rebuild asks each source for at a time (paper table 2: 4m, 64m). A multiple of 64k.");
  public static final ConfigKey RECOVERY_LOCK =
      new ConfigKey(
          PREFIX + "recovery.lock",
          WORD,
          "range",
          Set.of(NAMENODE),
          "What a rebuild thread locks while it XORs: range or superchunk (paper table 2).");
  public static final ConfigKey RECOVERY_THROTTLE =
      new ConfigKey(
          PREFIX + "recovery.throttle",
          SIZE,
          "0",
          Set.of(NAMENODE),
          "Most bytes a second that one rebuild reads, at least 64k; 0: no limit.");

  private static final List<ConfigKey> ALL =
      List.of(
          DISK_ROOTS,
          LSTOR_DIRS,
          FRAME_SIZE,
          UNIT_SIZE,
          MAX_BLOCK_SIZE,
          JOURNAL_SIZE,
          JOURNAL_WAIT_TIMEOUT,
          LSTOR_RING_SIZE,
          MODE,
          IDLE_AFTER,
          LEFTOVER_REPORT_INTERVAL,
          GRANULARITY,
          REPORT_INTERVAL,
          MANAGER_RPC_ADDRESS,
          MANAGER_HANDLER_COUNT,
          PEER_RPC_ADDRESS,
          PEER_HANDLER_COUNT,
          PEER_TIMEOUT,
          LSTOR_RPC_ADDRESS,
          LSTOR_HANDLER_COUNT,
          GRANT_LEASE,
          NODE_STALE_TIMEOUT,
          NODE_DEAD_TIMEOUT,
          LAYOUT_SPARE_SHARE,
          LAYOUT_RECOVERY_ROOM,
          RECOVERY_AUTO,
          RECOVERY_CHUNK_SIZE,
          RECOVERY_LOCK,
          RECOVERY_THROTTLE);

  private RaidpKeys() {}

  /** All keys in the order of the reference. */
  public static List<ConfigKey> all() {
    return ALL;
  }
}
