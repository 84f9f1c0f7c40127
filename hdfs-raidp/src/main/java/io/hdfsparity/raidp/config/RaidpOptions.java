/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

import static io.hdfsparity.raidp.config.RaidpKeys.PREFIX;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads the configuration once into the options of one daemon and validates them together.
 *
 * <p>Every reader refuses a key under {@value RaidpKeys#PREFIX} that is not in {@link RaidpKeys}: a
 * misspelt key must not become a default in silence.
 */
public final class RaidpOptions {
  private static final int UNIT_STEP_BYTES = 64 * 1024;

  /** What a rebuild asks a source for at a time is a multiple of this, and not 0. */
  public static final int REBUILD_CHUNK_STEP_BYTES = UNIT_STEP_BYTES;

  /** Slower than a chunk in a second, a rebuild stands still; more likely a unit was forgotten. */
  public static final long LEAST_THROTTLE_BYTES_PER_SECOND = REBUILD_CHUNK_STEP_BYTES;

  private static final long DAY_MS = 24L * 3600 * 1000;

  /**
   * Hadoop RPC carries at most ipc.maximum.data.length, 128 MiB by default; half of it leaves room
   * for frames.
   */
  public static final int MAX_RPC_CHUNK_BYTES = 64 * 1024 * 1024;

  private RaidpOptions() {}

  /**
   * Options of the manager.
   *
   * @throws RaidpConfigException naming the first key that cannot be used
   */
  public static ManagerOptions manager(Configuration conf) {
    refuseUnknown(conf);
    int unitBytes = unitBytes(conf);
    long reportIntervalMs = reportIntervalMs(conf);
    long staleMs = RaidpKeys.NODE_STALE_TIMEOUT.millis(conf, 1, DAY_MS);
    long deadMs = RaidpKeys.NODE_DEAD_TIMEOUT.millis(conf, 1, 7 * DAY_MS);
    if (staleMs <= reportIntervalMs) {
      throw new RaidpConfigException(
          RaidpKeys.NODE_STALE_TIMEOUT.name(),
          staleMs + "ms",
          "more than " + RaidpKeys.REPORT_INTERVAL.name() + "=" + reportIntervalMs + "ms");
    }
    if (deadMs < staleMs) {
      throw new RaidpConfigException(
          RaidpKeys.NODE_DEAD_TIMEOUT.name(),
          deadMs + "ms",
          "at least " + RaidpKeys.NODE_STALE_TIMEOUT.name() + "=" + staleMs + "ms");
    }
    int chunkBytes =
        (int)
            RaidpKeys.RECOVERY_CHUNK_SIZE.bytes(
                conf, REBUILD_CHUNK_STEP_BYTES, MAX_RPC_CHUNK_BYTES);
    requireMultiple(RaidpKeys.RECOVERY_CHUNK_SIZE, chunkBytes, REBUILD_CHUNK_STEP_BYTES, "64k");
    long throttle = RaidpKeys.RECOVERY_THROTTLE.bytes(conf, 0, Long.MAX_VALUE);
    if (throttle != 0 && throttle < LEAST_THROTTLE_BYTES_PER_SECOND) {
      throw new RaidpConfigException(
          RaidpKeys.RECOVERY_THROTTLE.name(), throttle, "0, or at least 64k");
    }
    return new ManagerOptions(
        unitBytes,
        maxBlockBytes(conf, unitBytes),
        RaidpKeys.MANAGER_HANDLER_COUNT.count(conf, 1, 1000),
        reportIntervalMs,
        peerTimeoutMs(conf),
        RaidpKeys.GRANT_LEASE.millis(conf, 2 * reportIntervalMs, DAY_MS),
        staleMs,
        deadMs,
        RaidpKeys.LAYOUT_SPARE_SHARE.share(conf),
        RaidpKeys.LAYOUT_RECOVERY_ROOM.count(conf, 0, 2),
        RaidpKeys.RECOVERY_AUTO.flag(conf),
        chunkBytes,
        RaidpKeys.RECOVERY_LOCK.word(conf, LockGranularity.class),
        throttle);
  }

  /**
   * Options of the agent in a DataNode.
   *
   * @throws RaidpConfigException naming the first key that cannot be used
   */
  public static NodeOptions node(Configuration conf) {
    refuseUnknown(conf);
    List<Path> roots = paths(RaidpKeys.DISK_ROOTS, conf);
    List<Path> lstors = paths(RaidpKeys.LSTOR_DIRS, conf);
    if (roots.size() != lstors.size()) {
      throw new RaidpConfigException(
          RaidpKeys.LSTOR_DIRS.name(),
          lstors,
          roots.size()
              + " directories, one for each of "
              + RaidpKeys.DISK_ROOTS.name()
              + "="
              + roots);
    }
    requireApart(roots, lstors);
    int unitBytes = unitBytes(conf);
    long maxBlockBytes = maxBlockBytes(conf, unitBytes);
    long frameBytes =
        RaidpKeys.FRAME_SIZE.bytes(conf, unitBytes, (long) unitBytes * Integer.MAX_VALUE);
    requireMultiple(
        RaidpKeys.FRAME_SIZE, frameBytes, unitBytes, RaidpKeys.UNIT_SIZE.name() + "=" + unitBytes);
    if (frameBytes < maxBlockBytes) {
      throw new RaidpConfigException(
          RaidpKeys.FRAME_SIZE.name(),
          frameBytes,
          "at least " + RaidpKeys.MAX_BLOCK_SIZE.name() + "=" + maxBlockBytes);
    }
    long journalBytes = RaidpKeys.JOURNAL_SIZE.bytes(conf, 1, Long.MAX_VALUE);
    if (journalBytes < maxBlockBytes) {
      throw new RaidpConfigException(
          RaidpKeys.JOURNAL_SIZE.name(),
          journalBytes,
          "at least "
              + RaidpKeys.MAX_BLOCK_SIZE.name()
              + "="
              + maxBlockBytes
              + ", or the largest block could never be written");
    }
    return new NodeOptions(
        roots,
        lstors,
        frameBytes,
        unitBytes,
        maxBlockBytes,
        journalBytes,
        RaidpKeys.JOURNAL_WAIT_TIMEOUT.millis(conf, 1, DAY_MS),
        RaidpKeys.LSTOR_RING_SIZE.bytes(conf, 2L << 20, 1L << 40),
        RaidpKeys.MODE.word(conf, Mode.class),
        RaidpKeys.IDLE_AFTER.millis(conf, 0, DAY_MS),
        RaidpKeys.LEFTOVER_REPORT_INTERVAL.millis(conf, 1, DAY_MS),
        RaidpKeys.GRANULARITY.word(conf, Granularity.class),
        reportIntervalMs(conf),
        RaidpKeys.PEER_RPC_ADDRESS.text(conf),
        RaidpKeys.PEER_HANDLER_COUNT.count(conf, 2, 1000),
        peerTimeoutMs(conf));
  }

  /**
   * Options of the Lstor daemon.
   *
   * @throws RaidpConfigException naming the first key that cannot be used
   */
  public static LstorDaemonOptions lstorDaemon(Configuration conf) {
    refuseUnknown(conf);
    return new LstorDaemonOptions(
        paths(RaidpKeys.LSTOR_DIRS, conf).stream().distinct().toList(),
        RaidpKeys.LSTOR_RPC_ADDRESS.text(conf),
        RaidpKeys.LSTOR_HANDLER_COUNT.count(conf, 1, 1000),
        reportIntervalMs(conf),
        peerTimeoutMs(conf));
  }

  /**
   * Time limit of a call of the command line in milliseconds.
   *
   * @throws RaidpConfigException naming the first key that cannot be used
   */
  public static int adminTimeoutMs(Configuration conf) {
    refuseUnknown(conf);
    return peerTimeoutMs(conf);
  }

  /**
   * @throws RaidpConfigException when a key under the prefix is not one of ours
   */
  static void refuseUnknown(Configuration conf) {
    Set<String> known = RaidpKeys.all().stream().map(ConfigKey::name).collect(Collectors.toSet());
    for (Map.Entry<String, String> entry : conf) {
      String name = entry.getKey();
      boolean perNameNode = name.startsWith(RaidpKeys.MANAGER_RPC_ADDRESS.name() + ".");
      if (name.startsWith(PREFIX) && !known.contains(name) && !perNameNode) {
        throw new RaidpConfigException(
            name, entry.getValue(), "a key listed in docs/raidp-configuration.md");
      }
    }
  }

  private static int unitBytes(Configuration conf) {
    int unitBytes = (int) RaidpKeys.UNIT_SIZE.bytes(conf, UNIT_STEP_BYTES, 1 << 30);
    requireMultiple(RaidpKeys.UNIT_SIZE, unitBytes, UNIT_STEP_BYTES, "64k");
    return unitBytes;
  }

  private static long maxBlockBytes(Configuration conf, int unitBytes) {
    return RaidpKeys.MAX_BLOCK_SIZE.bytes(conf, unitBytes, 1L << 40);
  }

  private static long reportIntervalMs(Configuration conf) {
    return RaidpKeys.REPORT_INTERVAL.millis(conf, 10, 3_600_000);
  }

  private static int peerTimeoutMs(Configuration conf) {
    return (int) RaidpKeys.PEER_TIMEOUT.millis(conf, 10, 3_600_000);
  }

  private static void requireMultiple(ConfigKey key, long value, long step, String stepName) {
    if (value % step != 0) {
      throw new RaidpConfigException(key.name(), value, "a multiple of " + stepName);
    }
  }

  private static List<Path> paths(ConfigKey key, Configuration conf) {
    List<Path> paths = new ArrayList<>();
    // Not getTrimmedStringCollection: it drops repetitions, and several disks may share an Lstor
    // directory.
    for (String text : conf.getTrimmedStrings(key.name())) {
      Path path = Path.of(text.startsWith("file:") ? java.net.URI.create(text).getPath() : text);
      if (!path.isAbsolute()) {
        throw new RaidpConfigException(key.name(), text, key.kind().form());
      }
      paths.add(path.normalize());
    }
    if (paths.isEmpty()) {
      throw new RaidpConfigException(key.name(), "", "at least one directory");
    }
    return paths;
  }

  private static void requireApart(List<Path> roots, List<Path> lstors) {
    Set<Path> seen = new HashSet<>();
    for (Path root : roots) {
      if (!seen.add(root)) {
        throw new RaidpConfigException(RaidpKeys.DISK_ROOTS.name(), root, "each root once");
      }
      for (Path lstor : lstors) {
        if (lstor.startsWith(root)) {
          throw new RaidpConfigException(
              RaidpKeys.LSTOR_DIRS.name(),
              lstor,
              "no directory under a disk root, root="
                  + root
                  + ": it would be lost together with the disk");
        }
      }
      for (Path other : roots) {
        if (!other.equals(root) && other.startsWith(root)) {
          throw new RaidpConfigException(
              RaidpKeys.DISK_ROOTS.name(), other, "no root under another, root=" + root);
        }
      }
    }
  }
}
