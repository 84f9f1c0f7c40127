/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.NodeHeartbeats;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;
import org.jspecify.annotations.Nullable;

/**
 * Files below a path, with their blocks, for the adoption into superchunks. Each call holds the
 * locks, for reading, for a number of look-ups that its caller bounds.
 *
 * <p>Reaches, package-private: FSDirectory's locks and getInode, INodeDirectory.nextChild,
 * INodesInPath.fromINode. Checked for Hadoop 3.5.0. Thread-safe, but for a {@link Walk}.
 */
public final class ProtectedFiles {
  /** A file with more blocks is not described: it would hold the lock for too long. */
  public static final int MAX_BLOCKS = 10_000;

  /** What is special of a file. */
  public enum Trait {
    /** Its new blocks are protected. */
    PROTECTED,
    /** It is being written. */
    OPEN,
    ERASURE_CODED,
    /** A snapshot wants more than two replicas of its blocks, or would if they were lowered. */
    HELD_BY_SNAPSHOT,
    /** It has more than {@link #MAX_BLOCKS}. */
    TOO_MANY_BLOCKS,
    /**
     * A replica is on a storage whose DataNode may have deleted it for another NameNode, or on a
     * node that may be gone: it has sent no heartbeat of late.
     */
    STALE_REPORTS
  }

  /**
   * A file.
   *
   * @param replication that it asks for
   * @param bytes its length
   * @param blocks none where it is erasure-coded or has too many
   */
  public record FileView(
      long inodeId,
      String path,
      int replication,
      long bytes,
      Set<Trait> traits,
      List<BlockView> blocks) {
    public FileView {
      traits = Set.copyOf(traits);
      blocks = List.copyOf(blocks);
    }
  }

  /**
   * A block.
   *
   * @param storageIds of its replicas that are neither damaged nor surplus, on nodes in service
   * @param otherStorageIds of its other replicas
   */
  public record BlockView(
      long blockId,
      long generationStamp,
      long lengthBytes,
      boolean complete,
      List<String> storageIds,
      List<String> otherStorageIds) {
    public BlockView {
      storageIds = List.copyOf(storageIds);
      otherStorageIds = List.copyOf(otherStorageIds);
    }
  }

  /** Replicated files, and the bytes in them, once each. */
  public record Count(long files, long bytes) {}

  private final FSDirectory directory;
  private final BlockManager blockManager;
  private final NamespaceReader reader;

  public ProtectedFiles(FSNamesystem namesystem) {
    this.directory = namesystem.getFSDirectory();
    this.blockManager = namesystem.getBlockManager();
    this.reader = new NamespaceReader(namesystem, "walkProtectedFiles");
  }

  /**
   * Begins a walk.
   *
   * @param path a directory or a file
   * @throws FileNotFoundException where there is none
   */
  public Walk walk(String path) throws IOException {
    return reader.locked(
        () -> {
          INode inode = directory.getINodesInPath(path, DirOp.READ).getLastINode();
          if (inode == null) {
            throw new FileNotFoundException(
                ErrorMessage.to("walk files")
                    .value("path", path)
                    .expected("a directory or file that exists")
                    .message());
          }
          return new Walk(inode.getId());
        });
  }

  /** A file as it is now; empty: it is gone, or snapshots alone have it. */
  public Optional<FileView> look(long inodeId) {
    return reader.locked(
        () -> {
          INode inode = directory.getInode(inodeId);
          return inode == null || !inode.isFile() || CurrentPlace.of(directory, inode).isEmpty()
              ? Optional.empty()
              : Optional.of(describe(inode.asFile()));
        });
  }

  /**
   * A walk, in the order of names, depth first. It remembers where it is by names, so it goes on
   * wherever the tree has changed meanwhile. What is renamed across that place is seen twice or not
   * at all. Follows the first directory when that is renamed. Not thread-safe.
   */
  public final class Walk {
    private final long rootId;

    /** From the root to the inode that was looked at last. */
    private final List<byte[]> last = new ArrayList<>();

    private boolean over;

    private Walk(long rootId) {
      this.rootId = rootId;
    }

    /** Whether nothing is left. */
    public boolean isOver() {
      return over;
    }

    /**
     * The files that follow; may be none before the walk is over.
     *
     * @param maxInodes looked at, at most
     * @param maxBlocks after which no further file is described, at least one
     */
    public List<FileView> next(int maxInodes, int maxBlocks) {
      List<FileView> found = new ArrayList<>();
      int[] blocks = {0};
      step(
          maxInodes,
          file -> {
            FileView view = describe(file);
            found.add(view);
            blocks[0] += view.blocks().size();
          },
          () -> blocks[0] < maxBlocks);
      return found;
    }

    /**
     * Ids of the protected files that follow and may have blocks without parity of which only a
     * NameNode that was active before knew: those being written, and those that want two replicas
     * and were written since a while.
     *
     * @param maxInodes looked at, at most
     * @param sinceMs wall-clock time
     */
    public List<Long> writtenSince(int maxInodes, long sinceMs) {
      List<Long> found = new ArrayList<>();
      step(
          maxInodes,
          file -> {
            boolean isRecent = file.isUnderConstruction() || file.getModificationTime() >= sinceMs;
            int wanted = file.getFileReplication();
            if (isRecent
                && !file.isStriped()
                && (wanted == 2 || wanted > 2 && file.isUnderConstruction())
                && ProtectionMarks.isProtected(file)) {
              found.add(file.getId());
            }
          },
          () -> true);
      return found;
    }

    /** Paths that are marked themselves, of the inodes that follow. */
    public List<String> marked(int maxInodes) {
      List<String> found = new ArrayList<>();
      steps(
          maxInodes,
          inode -> {
            if (ProtectionMarks.isMarked(inode)) {
              found.add(inode.getFullPathName());
            }
          },
          () -> true);
      return found;
    }

    /** Only counts the files that follow. */
    public Count count(int maxInodes) {
      long[] sums = {0, 0};
      step(
          maxInodes,
          file -> {
            if (!file.isStriped()) {
              sums[0]++;
              sums[1] += file.computeFileSize();
            }
          },
          () -> true);
      return new Count(sums[0], sums[1]);
    }

    private void step(int maxInodes, Consumer<INodeFile> each, More more) {
      steps(
          maxInodes,
          inode -> {
            if (inode.isFile()) {
              each.accept(inode.asFile());
            }
          },
          more);
    }

    private void steps(int maxInodes, Consumer<INode> each, More more) {
      if (over) {
        return;
      }
      reader.locked(
          () -> {
            INode root = directory.getInode(rootId);
            if (root != null && (root.isFile() || last.isEmpty())) {
              each.accept(root);
            }
            if (root == null || !root.isDirectory()) {
              over = true;
              return 0;
            }
            List<Level> levels = resume(root.asDirectory());
            int looked = 0;
            while (looked < maxInodes && more.isWanted()) {
              INode child = advance(levels);
              if (child == null) {
                over = true;
                return looked;
              }
              looked++;
              each.accept(child);
              if (child.isDirectory()) {
                levels.add(new Level(child.asDirectory()));
              }
            }
            return looked;
          });
    }

    /** Directories from the root to the place, each with its next child. */
    private List<Level> resume(INodeDirectory root) {
      List<Level> levels = new ArrayList<>();
      levels.add(new Level(root));
      for (byte[] name : last) {
        Level level = levels.get(levels.size() - 1);
        level.next = INodeDirectory.nextChild(level.children, name);
        INode child = level.directory.getChild(name, Snapshot.CURRENT_STATE_ID);
        if (child == null || !child.isDirectory()) {
          break;
        }
        levels.add(new Level(child.asDirectory()));
      }
      while (last.size() >= levels.size()) {
        last.remove(last.size() - 1);
      }
      return levels;
    }

    /** The next inode, whose names {@link #last} then has. */
    private @Nullable INode advance(List<Level> levels) {
      while (!levels.isEmpty()) {
        Level level = levels.get(levels.size() - 1);
        while (last.size() >= levels.size()) {
          last.remove(last.size() - 1);
        }
        if (level.next < level.children.size()) {
          INode child = level.children.get(level.next++);
          last.add(child.getLocalNameBytes());
          return child;
        }
        levels.remove(levels.size() - 1);
      }
      return null;
    }
  }

  @FunctionalInterface
  private interface More {
    boolean isWanted();
  }

  private static final class Level {
    private final INodeDirectory directory;
    private final ReadOnlyList<INode> children;
    private int next;

    Level(INodeDirectory directory) {
      this.directory = directory;
      this.children = directory.getChildrenList(Snapshot.CURRENT_STATE_ID);
    }
  }

  private FileView describe(INodeFile file) {
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    if (ProtectionMarks.isProtected(file)) {
      traits.add(Trait.PROTECTED);
    }
    if (file.isUnderConstruction()) {
      traits.add(Trait.OPEN);
    }
    List<BlockView> blocks = new ArrayList<>();
    if (file.isStriped()) {
      traits.add(Trait.ERASURE_CODED);
    } else if (file.getBlocks().length > MAX_BLOCKS) {
      traits.add(Trait.TOO_MANY_BLOCKS);
    } else {
      for (BlockInfo block : file.getBlocks()) {
        blocks.add(describe(block, traits));
      }
    }
    if (!file.isStriped() && file.getPreferredBlockReplication() > 2 && isHeldBySnapshot(file)) {
      traits.add(Trait.HELD_BY_SNAPSHOT);
    }
    return new FileView(
        file.getId(),
        file.getFullPathName(),
        file.getFileReplication(),
        file.computeFileSize(),
        traits,
        blocks);
  }

  private boolean isHeldBySnapshot(INodeFile file) {
    return SnapshotHold.isShared(INodesInPath.fromINode(directory.getRoot(), file), file);
  }

  private BlockView describe(BlockInfo block, Set<Trait> traits) {
    List<String> storageIds = new ArrayList<>();
    List<String> otherStorageIds = new ArrayList<>();
    if (block.isComplete()) {
      Collection<DatanodeDescriptor> damaged = blockManager.getCorruptReplicas(block);
      block
          .getStorageInfos()
          .forEachRemaining(
              storage -> {
                boolean isGood = isGood(storage, block, damaged);
                (isGood ? storageIds : otherStorageIds).add(storage.getStorageID());
                if (storage.areBlockContentsStale()
                    || isGood
                        && NodeHeartbeats.isStale(blockManager, storage.getDatanodeDescriptor())) {
                  traits.add(Trait.STALE_REPORTS);
                }
              });
    }
    return new BlockView(
        block.getBlockId(),
        block.getGenerationStamp(),
        block.getNumBytes(),
        block.isComplete(),
        storageIds,
        otherStorageIds);
  }

  private boolean isGood(
      DatanodeStorageInfo storage, BlockInfo block, Collection<DatanodeDescriptor> damaged) {
    DatanodeDescriptor node = storage.getDatanodeDescriptor();
    return node.isAlive()
        && node.isInService()
        && (damaged == null || !damaged.contains(node))
        && !blockManager.isExcess(node, block);
  }
}
