/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped.StorageAndBlockIndex;
import org.apache.hadoop.util.GSet;

/**
 * Stands before the map of all blocks, in every NameNode whose files change their level.
 *
 * <p>A change of level is logged as an overwrite of the file by itself. A NameNode that replays it
 * takes the groups out of the map and puts groups of the same ids back, with another policy and no
 * locations; a stock standby would know no replica of the file until the next full block reports.
 * And a standby that lags learns of units that its old policy does not have; stock code writes past
 * the end of its arrays then, and the standby dies. Hence the guard
 *
 * <ul>
 *   <li>gives every group the slots of the highest level when it enters the map;
 *   <li>remembers where a group's units are when it leaves the map of a NameNode that replays, and
 *       puts them back when a group of that id enters. Ids are never used twice by HDFS, so only
 *       such a replay finds something. What is remembered is bounded; the removal and the return
 *       are one edit.
 * </ul>
 *
 * <p>Reaches BlocksMap.blocks (private), BlockManager.blocksMap (package-private),
 * DatanodeStorageInfo.addBlock and BlockInfo's slots. Checked for Hadoop 3.5.0. Every change
 * happens under the namesystem's write lock, as those of the map itself; reads go straight through.
 */
public final class BlockMapGuard implements GSet<Block, BlockInfo> {
  /** Highest number of parity units that a file can be raised to. */
  public static final int MAX_PARITY_UNITS = 3;

  /**
   * Groups whose places are remembered. A file with more groups than this would lose places in a
   * replay, so its level is not changed.
   */
  public static final int REMEMBERED_GROUPS = 20_000;

  private record Place(DatanodeStorageInfo storage, byte unit) {}

  private final GSet<Block, BlockInfo> map;
  private final BlockManager blocks;
  private final StripedSlots slots = new StripedSlots();
  private final Map<Long, List<Place>> left =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, List<Place>> eldest) {
          return size() > REMEMBERED_GROUPS;
        }
      };
  private final LongAdder restored = new LongAdder();

  private BlockMapGuard(GSet<Block, BlockInfo> map, BlockManager blocks) {
    this.map = map;
    this.blocks = blocks;
  }

  /**
   * Puts a guard before the map of blocks, unless there is one. Call it before any block is loaded.
   *
   * @throws IllegalStateException when this Hadoop is another one, or there are blocks already
   */
  static BlockMapGuard install(BlockManager blocks) {
    Field field = PrivateFields.of(BlocksMap.class, "blocks");
    @SuppressWarnings("unchecked")
    GSet<Block, BlockInfo> map =
        (GSet<Block, BlockInfo>) PrivateFields.get(field, blocks.blocksMap);
    if (map instanceof BlockMapGuard guard) {
      return guard;
    }
    if (map.size() > 0) {
      throw new IllegalStateException(
          "Cannot guard the map of blocks: blocks=" + map.size() + ", expected 0 (at start)");
    }
    BlockMapGuard guard = new BlockMapGuard(map, blocks);
    PrivateFields.set(field, blocks.blocksMap, guard);
    return guard;
  }

  /** The guard of a NameNode, if it has one. */
  public static Optional<BlockMapGuard> of(BlockManager blocks) {
    Object map = PrivateFields.get(PrivateFields.of(BlocksMap.class, "blocks"), blocks.blocksMap);
    return map instanceof BlockMapGuard guard ? Optional.of(guard) : Optional.empty();
  }

  /** Places that replayed edits gave back since the start. */
  public long restoredLocations() {
    return restored.sum();
  }

  @Override
  public BlockInfo put(BlockInfo block) {
    if (block instanceof BlockInfoStriped group) {
      slots.reserve(group, group.getDataBlockNum() + MAX_PARITY_UNITS);
    }
    BlockInfo before = map.put(block);
    List<Place> places = left.remove(block.getBlockId());
    if (places != null && block.isStriped()) {
      places.forEach(place -> restore(block, place));
    }
    return before;
  }

  /** Only into the same object: one that took its place after a new registration equals it. */
  @SuppressWarnings("ReferenceEquality")
  private void restore(BlockInfo group, Place place) {
    DatanodeStorageInfo storage = place.storage();
    // The node may have gone, or come back with other storages.
    if (storage.getDatanodeDescriptor().getStorageInfo(storage.getStorageID()) == storage) {
      storage.addBlock(
          group,
          new Block(
              group.getBlockId() + place.unit(), group.getNumBytes(), group.getGenerationStamp()));
      restored.increment();
    }
  }

  @Override
  public BlockInfo remove(Block key) {
    BlockInfo removed = map.remove(key);
    // An active NameNode removes what is deleted; nothing of it comes back.
    if (removed instanceof BlockInfoStriped group && !blocks.isPopulatingReplQueues()) {
      List<Place> places = new ArrayList<>();
      for (StorageAndBlockIndex each : group.getStorageAndIndexInfos()) {
        places.add(new Place(each.getStorage(), each.getBlockIndex()));
      }
      if (!places.isEmpty()) {
        left.put(group.getBlockId(), places);
      }
    }
    return removed;
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public boolean contains(Block key) {
    return map.contains(key);
  }

  @Override
  public BlockInfo get(Block key) {
    return map.get(key);
  }

  @Override
  public void clear() {
    left.clear();
    map.clear();
  }

  @Override
  public Collection<BlockInfo> values() {
    return map.values();
  }

  @Override
  public Iterator<BlockInfo> iterator() {
    return map.iterator();
  }
}
