/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.image;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.store.AtomicFiles;
import io.hdfsparity.core.store.DirectoryListing;
import io.hdfsparity.core.store.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The limbo of a volume, shared by its frames: replicas that HDFS deleted and tails that it cut
 * off, kept while a parity somewhere covers them.
 *
 * <p>Names: {@code blk_<id>_<generation stamp>.<sequence>.data} with {@code .meta}, and {@code
 * ….tail}. The sequence grows with every item of the volume, so that the order of cuts and deletes
 * survives a restart. A tail under stamp 0 is the mark of {@link #markUnknownPast}.
 *
 * <p>Invariants: an item in the index has all its files under their final names; a file is unlinked
 * only after its item left the index. {@link #items} is an immutable list that is replaced at each
 * change, so a reader can tell by identity that nothing has changed.
 *
 * <p>Thread-safety: index and counters are concurrent; changes to one block are serialized by the
 * caller.
 */
public final class Limbo {
  /** Name of the directory inside a volume. */
  public static final String DIRECTORY = "raidp-limbo";

  private static final Pattern NAME =
      Pattern.compile("blk_(-?\\d+)_(\\d+)\\.(\\d+)\\.(data|meta|tail)");
  private static final List<Item> NOTHING = List.of();

  /** No replica has it, and nobody asks for it. */
  private static final long NO_STAMP = 0;

  private final FrameDirectory frame;
  private final Path directory;
  private final Map<Long, List<Item>> index = new ConcurrentHashMap<>();
  private final AtomicLong nextSequence = new AtomicLong(1);
  private final AtomicLong bytes = new AtomicLong();

  /** Something in limbo: a whole replica ({@code meta} present) or a tail. */
  private record Item(
      long blockId,
      long generationStamp,
      long sequence,
      Path file,
      Optional<Path> meta,
      long bytes) {
    /** Whether it is more than the note of a length, {@link Limbo#saveLength}. */
    boolean holdsBytes() {
      return meta.isPresent() || bytes > TailFile.HEADER_BYTES;
    }

    /** Whether it is the mark of {@link Limbo#markUnknownPast}. */
    boolean isMark() {
      return generationStamp == NO_STAMP && !holdsBytes();
    }

    ImageSource open() throws IOException {
      return meta.isPresent()
          ? ReplicaSource.open(new ReplicaFiles(blockId, generationStamp, file, meta.get()))
          : TailFile.open(file);
    }
  }

  private Limbo(FrameDirectory frame) {
    this.frame = frame;
    this.directory = frame.root().resolve(DIRECTORY);
  }

  /**
   * Opens the limbo of a volume, before HDFS reads the volume's replicas: finishes moves that a
   * crash interrupted and drops temporary files.
   *
   * @param blockPoolIds pools whose directories are looked at for the other half of a move
   */
  public static Limbo open(FrameDirectory frame, List<String> blockPoolIds) throws IOException {
    Limbo limbo = new Limbo(frame);
    PrivateFiles.secure(limbo.directory);
    for (Path file : DirectoryListing.of(limbo.directory, "*")) {
      Matcher m = NAME.matcher(file.getFileName().toString());
      if (!m.matches()) {
        if (file.getFileName().toString().endsWith(".tmp")) {
          Files.deleteIfExists(file);
          continue;
        }
        throw new IOException(
            "Cannot open limbo: name="
                + file.getFileName()
                + ", expected blk_<id>_<generation stamp>.<sequence>.(data|meta|tail), file="
                + file);
      }
      limbo.nextSequence.accumulateAndGet(Long.parseLong(m.group(3)) + 1, Math::max);
      switch (m.group(4)) {
        case "tail" -> limbo.add(limbo.item(m, file, Optional.empty()));
        case "data" -> limbo.takeIn(m, file, blockPoolIds);
        default -> limbo.dropIfAlone(file);
      }
    }
    return limbo;
  }

  /**
   * What is kept of one block, of a volume whose limbo must not be changed: as {@link #open}, but
   * moves that a crash interrupted stay unfinished, and their files are left out.
   */
  public static Limbo look(FrameDirectory frame, long blockId) throws IOException {
    Limbo limbo = new Limbo(frame);
    if (!Files.isDirectory(limbo.directory)) {
      return limbo;
    }
    for (Path file : DirectoryListing.of(limbo.directory, "blk_" + blockId + "_*")) {
      Matcher m = NAME.matcher(file.getFileName().toString());
      if (m.matches() && m.group(4).equals("tail")) {
        limbo.add(limbo.item(m, file, Optional.empty()));
      } else if (m.matches() && m.group(4).equals("data") && Files.exists(metaOf(file))) {
        limbo.add(limbo.item(m, file, Optional.of(metaOf(file))));
      }
    }
    return limbo;
  }

  private void takeIn(Matcher m, Path data, List<String> blockPoolIds) throws IOException {
    Path meta = metaOf(data);
    if (!Files.exists(meta)) {
      Optional<Path> left = findLeftMeta(Long.parseLong(m.group(1)), m.group(2), blockPoolIds);
      if (left.isEmpty()) {
        // Data without CRCs proves nothing and serves nobody; reconciling treats the row as lost.
        Files.delete(data);
        return;
      }
      AtomicFiles.rename(left.get(), meta);
    }
    add(item(m, data, Optional.of(meta)));
  }

  private Optional<Path> findLeftMeta(long blockId, String generationStamp, List<String> pools)
      throws IOException {
    for (String pool : pools) {
      for (Path place :
          List.of(
              frame.finalizedDirectory(pool, blockId),
              frame.rbwDirectory(pool),
              frame.temporaryDirectory(pool))) {
        Path meta = place.resolve("blk_" + blockId + "_" + generationStamp + ".meta");
        if (Files.exists(meta)) {
          return Optional.of(meta);
        }
      }
    }
    return Optional.empty();
  }

  private void dropIfAlone(Path meta) throws IOException {
    String name = meta.getFileName().toString();
    if (!Files.exists(meta.resolveSibling(name.substring(0, name.length() - 4) + "data"))) {
      Files.delete(meta);
    }
  }

  private Item item(Matcher m, Path file, Optional<Path> meta) throws IOException {
    return new Item(
        Long.parseLong(m.group(1)),
        Long.parseLong(m.group(2)),
        Long.parseLong(m.group(3)),
        file,
        meta,
        Files.size(file));
  }

  private Path newFile(long blockId, long generationStamp, long sequence, String suffix) {
    return directory.resolve("blk_" + blockId + "_" + generationStamp + "." + sequence + suffix);
  }

  /**
   * Moves a replica that HDFS is about to delete here, data first: {@link #open} knows how to
   * finish that.
   */
  public void take(ReplicaFiles replica) throws IOException {
    long sequence = nextSequence.getAndIncrement();
    Path data = newFile(replica.blockId(), replica.generationStamp(), sequence, ".data");
    AtomicFiles.rename(replica.data(), data);
    AtomicFiles.rename(replica.meta(), metaOf(data));
    AtomicFiles.syncDirectory(replica.data().getParent());
    add(
        new Item(
            replica.blockId(),
            replica.generationStamp(),
            sequence,
            data,
            Optional.of(metaOf(data)),
            Files.size(data)));
  }

  /**
   * Saves what a cut to {@code newLengthBytes} would lose, durably; nothing when it would lose
   * nothing readable.
   *
   * @param replica about to be cut
   */
  public void saveTail(ReplicaFiles replica, long newLengthBytes) throws IOException {
    long to;
    try (ReplicaSource source = ReplicaSource.open(replica)) {
      to = source.toBytes();
    }
    if (to > newLengthBytes) {
      save(replica, to, newLengthBytes);
    }
  }

  /**
   * Notes, durably, which length a replica had under the stamps before its present one. Who claims
   * more of such a stamp has bytes that were never here, and what is there now may be others. A
   * length of 0 says that nothing is known of those stamps. Idempotent.
   *
   * @param replica under its new stamp; it may have grown since
   */
  public void saveLength(ReplicaFiles replica, long lengthBytes) throws IOException {
    int chunkBytes = ReplicaSource.readChecksum(replica.meta()).bytesPerChecksum();
    ReplicaFiles before =
        new ReplicaFiles(
            replica.blockId(), replica.generationStamp() - 1, replica.data(), replica.meta());
    if (!isNoted(before, lengthBytes)) {
      save(before, lengthBytes / chunkBytes * chunkBytes, lengthBytes);
    }
  }

  /**
   * As {@link #saveLength} with a length of 0, for a replica whose files need not be there. Whoever
   * asks for a stamp up to this one gets no bytes of what lies here now, or comes later.
   */
  public void noteUnknown(long blockId, long generationStamp) throws IOException {
    long sequence = nextSequence.getAndIncrement();
    Path file = newFile(blockId, generationStamp, sequence, ".tail");
    TailFile.saveNote(file, blockId, generationStamp);
    add(new Item(blockId, generationStamp, sequence, file, Optional.empty(), Files.size(file)));
  }

  /**
   * Marks, durably, that the last replica of a block went without the hooks, so that the next one
   * proves nothing of stamps before its own. No reader sees the mark. Idempotent.
   */
  public void markUnknownPast(long blockId) throws IOException {
    if (!hasUnknownPast(blockId)) {
      noteUnknown(blockId, NO_STAMP);
    }
  }

  /** Whether a block has the mark of {@link #markUnknownPast}. */
  public boolean hasUnknownPast(long blockId) {
    return index.getOrDefault(blockId, NOTHING).stream().anyMatch(Item::isMark);
  }

  /** Takes the mark of {@link #markUnknownPast} away, durably; other items of the block stay. */
  public void endUnknownPast(long blockId) throws IOException {
    List<Item> marks = index.getOrDefault(blockId, NOTHING).stream().filter(Item::isMark).toList();
    if (marks.isEmpty()) {
      return;
    }
    index.computeIfPresent(
        blockId,
        (id, items) -> {
          List<Item> left = items.stream().filter(item -> !item.isMark()).toList();
          return left.isEmpty() ? null : left;
        });
    unlink(marks);
  }

  private boolean isNoted(ReplicaFiles before, long lengthBytes) throws IOException {
    for (Item item : index.getOrDefault(before.blockId(), NOTHING)) {
      if (!item.holdsBytes() && item.generationStamp() == before.generationStamp()) {
        try (ImageSource note = item.open()) {
          if (note.cutBytes() == lengthBytes) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private void save(ReplicaFiles replica, long to, long cut) throws IOException {
    long sequence = nextSequence.getAndIncrement();
    Path file = newFile(replica.blockId(), replica.generationStamp(), sequence, ".tail");
    TailFile.save(file, replica, to, cut);
    add(
        new Item(
            replica.blockId(),
            replica.generationStamp(),
            sequence,
            file,
            Optional.empty(),
            Files.size(file)));
  }

  /** Whether anything of the block is kept. */
  public boolean holds(long blockId) {
    return index.containsKey(blockId);
  }

  /** The youngest stamp under which bytes of the block are kept; 0 when none are. */
  public long newestStamp(long blockId) {
    return index.getOrDefault(blockId, List.of()).stream()
        .filter(Item::holdsBytes)
        .mapToLong(Item::generationStamp)
        .max()
        .orElse(0);
  }

  /** Whether a whole replica of the block is kept that had at least a stamp when it was deleted. */
  public boolean holdsReplica(long blockId, long generationStamp) {
    return index.getOrDefault(blockId, NOTHING).stream()
        .anyMatch(item -> item.meta().isPresent() && item.generationStamp() >= generationStamp);
  }

  /** Blocks of which something is kept. */
  public List<Long> blockIds() {
    return List.copyOf(index.keySet());
  }

  /**
   * Forgets and unlinks all that is kept of a block, durably: a file that came back would have no
   * row.
   */
  public void drop(long blockId) throws IOException {
    List<Item> items = index.remove(blockId);
    if (items == null) {
      return;
    }
    unlink(items);
  }

  private void unlink(List<Item> items) throws IOException {
    for (Item item : items) {
      bytes.addAndGet(-item.bytes());
      Files.deleteIfExists(item.file());
      if (item.meta().isPresent()) {
        Files.deleteIfExists(item.meta().get());
      }
    }
    AtomicFiles.syncDirectory(directory);
  }

  /** Bytes of block data kept. */
  public long bytes() {
    return bytes.get();
  }

  /**
   * Before a cut. A client that cuts a block and appends to it, again and again, puts a tail here
   * each time; its quota does not count them. They go when the partner acknowledges.
   *
   * @param maxBytes which earlier cuts of the block may have, so that another one is taken
   */
  public void requireRoom(long blockId, long maxBytes) throws IOException {
    long kept = index.getOrDefault(blockId, NOTHING).stream().mapToLong(Item::bytes).sum();
    if (kept > maxBytes) {
      throw new IOException(
          ErrorMessage.to("truncate block")
              .value("block", blockId)
              .value("bytesOfEarlierCuts", kept)
              .expected(
                  "at most "
                      + maxBytes
                      + ", twice dfs.parity.raidp.max.block.size, that the partner has not"
                      + " acknowledged. HDFS tries again: bring the partner back, or let the"
                      + " superchunk get another one (hdfs raidp -recover)")
              .where("directory", directory)
              .message());
    }
  }

  /** Identity of the present state of a block's items; see the class. */
  Object version(long blockId) {
    return index.getOrDefault(blockId, NOTHING);
  }

  /** Opens the items that existed at {@code version}, oldest first. */
  @SuppressWarnings("unchecked")
  static void openItems(Object version, List<ImageSource> into) throws IOException {
    for (Item item : (List<Item>) version) {
      try {
        into.add(item.open());
      } catch (NoSuchFileException e) {
        throw new ImageException.NotHeld(
            "Cannot open limbo: block="
                + item.blockId()
                + ", expected a file, but it was released meanwhile, file="
                + item.file());
      }
    }
  }

  private void add(Item item) {
    bytes.addAndGet(item.bytes());
    index.merge(
        item.blockId(),
        List.of(item),
        (a, b) -> {
          List<Item> all = new ArrayList<>(a);
          all.addAll(b);
          all.sort(Comparator.comparingLong(Item::sequence));
          return List.copyOf(all);
        });
  }

  private static Path metaOf(Path data) {
    String name = data.getFileName().toString();
    return data.resolveSibling(name.substring(0, name.length() - 4) + "meta");
  }
}
