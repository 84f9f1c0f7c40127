/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.erasurecode;

import io.hdfsparity.bridge.status.HadoopLine;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;

/**
 * Reads what HDFS's own reconstruction tasks were made of.
 *
 * <p>Reaches, all private: ErasureCodingWorker.stripedReconstructionPool, the one way that tasks
 * take; StripedReconstructor.ecPolicy, StripedBlockReconstructor.stripedWriter,
 * StripedReader.liveIndices and sources, StripedWriter.targets, targetIndices, targetStorageTypes
 * and targetStorageIds, because a task does not keep the StripedReconstructionInfo that another one
 * could be made from. All are looked up when this is made, so that another Hadoop fails then.
 * Checked for Hadoop 3.5.0. Immutable, thread-safe.
 */
final class StockTask {
  private final Field pool = field(ErasureCodingWorker.class, "stripedReconstructionPool");
  private final Field policy = field(StripedReconstructor.class, "ecPolicy");
  private final Field writer = field(StripedBlockReconstructor.class, "stripedWriter");
  private final Field liveIndices = field(StripedReader.class, "liveIndices");
  private final Field sources = field(StripedReader.class, "sources");
  private final Field targets = field(StripedWriter.class, "targets");
  private final Field targetIndices = field(StripedWriter.class, "targetIndices");
  private final Field storageTypes = field(StripedWriter.class, "targetStorageTypes");
  private final Field storageIds = field(StripedWriter.class, "targetStorageIds");

  private static Field field(Class<?> type, String name) {
    try {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "Cannot redirect reconstruction: field="
              + type.getName()
              + "."
              + name
              + ", expected as in Hadoop "
              + HadoopLine.current().versions(),
          e);
    }
  }

  private static <T> T get(Field field, Object from, Class<T> type) {
    try {
      return type.cast(field.get(from));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Cannot redirect reconstruction: field=" + field, e);
    }
  }

  ThreadPoolExecutor pool(ErasureCodingWorker worker) {
    return get(pool, worker, ThreadPoolExecutor.class);
  }

  void setPool(ErasureCodingWorker worker, ThreadPoolExecutor executor) {
    try {
      pool.set(worker, executor);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Cannot redirect reconstruction: field=" + pool, e);
    }
  }

  ErasureCodingPolicy policy(StripedBlockReconstructor task) {
    return get(policy, task, ErasureCodingPolicy.class);
  }

  short[] targetIndices(StripedWriter of) {
    return get(targetIndices, of, short[].class);
  }

  /**
   * Whether the NameNode named units that the policy does not have: the level of the file was
   * lowered, and they are not deleted yet. HDFS's own reader fails on them.
   */
  boolean hasSurplusSources(StripedBlockReconstructor task) {
    byte[] indices = get(liveIndices, task.getStripedReader(), byte[].class);
    return sourcesOfPolicy(task).length < indices.length;
  }

  /** What the NameNode ordered, without sources that the policy does not have. */
  StripedReconstructionInfo withoutSurplus(StripedBlockReconstructor task) {
    return info(task, targets(task).length);
  }

  /**
   * What the NameNode ordered, without sources that the policy does not have, and with as many
   * targets as there are units to rebuild. With more, as for a small file while a node is
   * decommissioned, StripedWriter would give the rest unit 0.
   */
  StripedReconstructionInfo info(StripedBlockReconstructor task) {
    return info(task, Math.min(targets(task).length, missingUnits(task)));
  }

  private DatanodeInfo[] targets(StripedBlockReconstructor task) {
    return get(targets, get(writer, task, StripedWriter.class), DatanodeInfo[].class);
  }

  private StripedReconstructionInfo info(StripedBlockReconstructor task, int count) {
    StripedReader reader = task.getStripedReader();
    StripedWriter to = get(writer, task, StripedWriter.class);
    DatanodeInfo[] nodes = targets(task);
    byte[] indices = get(liveIndices, reader, byte[].class);
    DatanodeInfo[] from = get(sources, reader, DatanodeInfo[].class);
    int[] kept = sourcesOfPolicy(task);
    byte[] keptIndices = new byte[kept.length];
    DatanodeInfo[] keptFrom = new DatanodeInfo[kept.length];
    for (int i = 0; i < kept.length; i++) {
      keptIndices[i] = indices[kept[i]];
      keptFrom[i] = from[kept[i]];
    }
    return new StripedReconstructionInfo(
        task.getBlockGroup(),
        policy(task),
        keptIndices,
        keptFrom,
        Arrays.copyOf(nodes, count),
        Arrays.copyOf(get(storageTypes, to, StorageType[].class), count),
        Arrays.copyOf(get(storageIds, to, String[].class), count),
        bytes(task.getExcludeBitSet()));
  }

  /** Positions among the sources of those whose unit the policy has. */
  private int[] sourcesOfPolicy(StripedBlockReconstructor task) {
    byte[] indices = get(liveIndices, task.getStripedReader(), byte[].class);
    int units = units(task);
    return IntStream.range(0, indices.length).filter(i -> indices[i] < units).toArray();
  }

  private int units(StripedBlockReconstructor task) {
    return policy(task).getNumDataUnits() + policy(task).getNumParityUnits();
  }

  private int missingUnits(StripedBlockReconstructor task) {
    int missing = 0;
    for (int unit = 0; unit < units(task); unit++) {
      if (!task.getLiveBitSet().get(unit)
          && !task.getExcludeBitSet().get(unit)
          && task.getBlockLen(unit) > 0) {
        missing++;
      }
    }
    return missing;
  }

  private static byte[] bytes(BitSet set) {
    byte[] bytes = new byte[set.cardinality()];
    int next = 0;
    for (int bit = set.nextSetBit(0); bit >= 0; bit = set.nextSetBit(bit + 1)) {
      bytes[next++] = (byte) bit;
    }
    return bytes;
  }
}
