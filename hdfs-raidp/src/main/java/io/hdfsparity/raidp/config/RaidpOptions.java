/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeyReader;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;

/**
 * Reads the configuration once into the options of one daemon and validates them together.
 *
 * <p>Every reader refuses a key under {@value RaidpKey#PREFIX} that is not in {@link RaidpKey}: a
 * misspelt key must not become a default in silence.
 */
public final class RaidpOptions {
  private static final int UNIT_STEP_BYTES = 64 * 1024;

  /** What a rebuild asks a source for at a time is a multiple of this, and not 0. */
  public static final int REBUILD_CHUNK_STEP_BYTES = UNIT_STEP_BYTES;

  /** Slower than a chunk in a second, a rebuild stands still; more likely a unit was forgotten. */
  public static final long MIN_THROTTLE_BYTES_PER_SECOND = REBUILD_CHUNK_STEP_BYTES;

  private static final long DAY_MS = 24L * 3600 * 1000;

  /**
   * Hadoop RPC carries at most ipc.maximum.data.length, 128 MiB by default; half of it leaves room
   * for frames.
   */
  public static final int MAX_RPC_CHUNK_BYTES = 64 * 1024 * 1024;

  /** The paper's example has 256 superchunks a disk (section 3.3). */
  public static final int MAX_FRAMES_PER_VOLUME = 1024;

  private RaidpOptions() {}

  /**
   * Options of the manager.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static ManagerOptions manager(Configuration conf) {
    KeyReader keys = RaidpKey.reader(conf);
    int unitBytes = unitBytes(keys);
    long reportIntervalMs = reportIntervalMs(keys);
    long staleMs = keys.millis(RaidpKey.NODE_STALE_TIMEOUT, 1, DAY_MS);
    long deadMs = keys.millis(RaidpKey.NODE_DEAD_TIMEOUT, 1, 7 * DAY_MS);
    if (staleMs <= reportIntervalMs) {
      throw refused(
          RaidpKey.NODE_STALE_TIMEOUT.key(),
          staleMs + "ms",
          "more than " + RaidpKey.REPORT_INTERVAL.key() + "=" + reportIntervalMs + "ms");
    }
    if (deadMs < staleMs) {
      throw refused(
          RaidpKey.NODE_DEAD_TIMEOUT.key(),
          deadMs + "ms",
          "at least " + RaidpKey.NODE_STALE_TIMEOUT.key() + "=" + staleMs + "ms");
    }
    int chunkBytes =
        (int)
            keys.bytes(RaidpKey.RECOVERY_CHUNK_SIZE, REBUILD_CHUNK_STEP_BYTES, MAX_RPC_CHUNK_BYTES);
    requireMultiple(RaidpKey.RECOVERY_CHUNK_SIZE, chunkBytes, REBUILD_CHUNK_STEP_BYTES, "64k");
    long throttle = keys.bytes(RaidpKey.RECOVERY_THROTTLE, 0, Long.MAX_VALUE);
    if (throttle != 0 && throttle < MIN_THROTTLE_BYTES_PER_SECOND) {
      throw refused(RaidpKey.RECOVERY_THROTTLE.key(), throttle, "0, or at least 64k");
    }
    return new ManagerOptions(
        new ManagerOptions.Placement(
            unitBytes,
            maxBlockBytes(keys, unitBytes),
            keys.millis(RaidpKey.GRANT_LEASE, 2 * reportIntervalMs, DAY_MS),
            keys.word(RaidpKey.WHEN_FULL, WhenFull.class)),
        reportIntervalMs,
        peerTimeoutMs(keys),
        new ManagerOptions.Silence(staleMs, deadMs),
        new ManagerOptions.Layout(
            keys.share(RaidpKey.LAYOUT_SPARE_SHARE),
            keys.count(RaidpKey.LAYOUT_RECOVERY_ROOM, 0, 2),
            keys.word(RaidpKey.COEFFICIENTS, Coefficients.class)),
        new ManagerOptions.Recovery(
            keys.flag(RaidpKey.RECOVERY_AUTO),
            new RebuildPace(
                chunkBytes, keys.word(RaidpKey.RECOVERY_LOCK, LockGranularity.class), throttle),
            new ManagerOptions.Repair(
                keys.count(RaidpKey.REPAIR_MAX_STREAMS, 1, 10_000),
                keys.millis(RaidpKey.REPAIR_INTERVAL, 10, DAY_MS))));
  }

  /**
   * Options of the agent in a DataNode.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static NodeOptions node(Configuration conf) {
    KeyReader keys = RaidpKey.reader(conf);
    List<Path> roots = roots(conf, keys);
    List<Path> lstors = directories(keys, RaidpKey.LSTOR_DIRS);
    if (roots.size() != lstors.size()) {
      throw refused(
          RaidpKey.LSTOR_DIRS.key(),
          lstors,
          roots.size()
              + " directories, one for each of "
              + RaidpKey.DISK_ROOTS.key()
              + "="
              + roots);
    }
    requireApart(roots, lstors);
    int unitBytes = unitBytes(keys);
    long maxBlockBytes = maxBlockBytes(keys, unitBytes);
    long frameBytes =
        keys.bytes(RaidpKey.FRAME_SIZE, unitBytes, (long) unitBytes * Integer.MAX_VALUE);
    requireMultiple(
        RaidpKey.FRAME_SIZE, frameBytes, unitBytes, RaidpKey.UNIT_SIZE.key() + "=" + unitBytes);
    if (frameBytes < maxBlockBytes) {
      throw refused(
          RaidpKey.FRAME_SIZE.key(),
          frameBytes,
          "at least " + RaidpKey.MAX_BLOCK_SIZE.key() + "=" + maxBlockBytes);
    }
    long journalBytes = keys.bytes(RaidpKey.JOURNAL_SIZE, 1, Long.MAX_VALUE);
    if (journalBytes < maxBlockBytes) {
      throw refused(
          RaidpKey.JOURNAL_SIZE.key(),
          journalBytes,
          "at least "
              + RaidpKey.MAX_BLOCK_SIZE.key()
              + "="
              + maxBlockBytes
              + ", or the largest block could never be written");
    }
    int framesPerVolume = keys.count(RaidpKey.FRAMES_PER_VOLUME, 1, MAX_FRAMES_PER_VOLUME);
    return new NodeOptions(
        IntStream.range(0, roots.size())
            .mapToObj(i -> new NodeOptions.Disk(roots.get(i), lstors.get(i)))
            .toList(),
        new NodeOptions.Frames(frameBytes, unitBytes, maxBlockBytes, framesPerVolume),
        new NodeOptions.LstorLimits(
            journalBytes,
            keys.millis(RaidpKey.JOURNAL_WAIT_TIMEOUT, 1, DAY_MS),
            keys.bytes(RaidpKey.LSTOR_RING_SIZE, 2L << 20, 1L << 40)),
        new NodeOptions.Settling(
            keys.word(RaidpKey.MODE, Mode.class),
            keys.word(RaidpKey.GRANULARITY, Granularity.class),
            keys.millis(RaidpKey.IDLE_AFTER, 0, DAY_MS)),
        reportIntervalMs(keys),
        keys.millis(RaidpKey.LEFTOVER_REPORT_INTERVAL, 1, DAY_MS),
        peerTimeoutMs(keys));
  }

  /**
   * Options of the Lstor daemon.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static LstorDaemonOptions lstorDaemon(Configuration conf) {
    KeyReader keys = RaidpKey.reader(conf);
    return new LstorDaemonOptions(
        directories(keys, RaidpKey.LSTOR_DIRS).stream().distinct().toList(),
        keys.text(RaidpKey.LSTOR_RPC_ADDRESS),
        keys.count(RaidpKey.LSTOR_HANDLER_COUNT, 1, 1000),
        reportIntervalMs(keys),
        peerTimeoutMs(keys));
  }

  /**
   * Time limit of a call of the command line in milliseconds.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static int adminTimeoutMs(Configuration conf) {
    KeyReader keys = RaidpKey.reader(conf);
    return peerTimeoutMs(keys);
  }

  /**
   * How long a write waits to be told its storage, in milliseconds.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static int placementQueryTimeoutMs(Configuration conf) {
    KeyReader keys = RaidpKey.reader(conf);
    return (int) keys.millis(RaidpKey.PLACEMENT_QUERY_TIMEOUT, 10, 3_600_000);
  }

  private static int unitBytes(KeyReader keys) {
    int unitBytes = (int) keys.bytes(RaidpKey.UNIT_SIZE, UNIT_STEP_BYTES, 1 << 30);
    requireMultiple(RaidpKey.UNIT_SIZE, unitBytes, UNIT_STEP_BYTES, "64k");
    return unitBytes;
  }

  private static long maxBlockBytes(KeyReader keys, int unitBytes) {
    return keys.bytes(RaidpKey.MAX_BLOCK_SIZE, unitBytes, 1L << 40);
  }

  private static long reportIntervalMs(KeyReader keys) {
    return keys.millis(RaidpKey.REPORT_INTERVAL, 10, 3_600_000);
  }

  private static int peerTimeoutMs(KeyReader keys) {
    return (int) keys.millis(RaidpKey.PEER_TIMEOUT, 10, 3_600_000);
  }

  private static void requireMultiple(ConfigKey key, long value, long step, String stepName) {
    if (value % step != 0) {
      throw refused(key.key(), value, "a multiple of " + stepName);
    }
  }

  /** As configured, or else the directories right above the data directories. */
  private static List<Path> roots(Configuration conf, KeyReader keys) {
    if (!conf.getTrimmed(RaidpKey.DISK_ROOTS.key(), "").isEmpty()) {
      return directories(keys, RaidpKey.DISK_ROOTS);
    }
    Set<Path> parents = new LinkedHashSet<>();
    for (StorageLocation location : DataNode.getStorageLocations(conf)) {
      // Hadoop takes no "/".
      Path directory = Path.of(location.getUri().getPath()).normalize();
      parents.add(Objects.requireNonNull(directory.getParent()));
    }
    return List.copyOf(parents);
  }

  private static List<Path> directories(KeyReader keys, ConfigKey key) {
    List<Path> all = keys.directories(key);
    if (all.isEmpty()) {
      throw refused(key.key(), "", "at least one directory");
    }
    return all;
  }

  private static IllegalArgumentException refused(String key, Object value, String rule) {
    return KeyReader.refused(key, String.valueOf(value), rule, /* cause= */ null);
  }

  private static void requireApart(List<Path> roots, List<Path> lstors) {
    Set<Path> seen = new HashSet<>();
    for (Path root : roots) {
      if (!seen.add(root)) {
        throw refused(RaidpKey.DISK_ROOTS.key(), root, "each root once");
      }
      for (Path lstor : lstors) {
        if (lstor.startsWith(root)) {
          throw refused(
              RaidpKey.LSTOR_DIRS.key(),
              lstor,
              "no directory under a disk root, root="
                  + root
                  + ": it would be lost together with the disk");
        }
      }
      for (Path other : roots) {
        if (!other.equals(root) && other.startsWith(root)) {
          throw refused(RaidpKey.DISK_ROOTS.key(), other, "no root under another, root=" + root);
        }
      }
    }
  }
}
