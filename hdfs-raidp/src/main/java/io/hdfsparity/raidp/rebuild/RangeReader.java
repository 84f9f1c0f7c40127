/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.raidp.recovery.IndexedDisk;
import io.hdfsparity.raidp.recovery.RangeDecoder;
import io.hdfsparity.raidp.recovery.UndecodableException;
import io.hdfsparity.raidp.recovery.WantedBlock;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.RangeRequest;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decodes ranges of lost blocks from the Lstors of dead disks and the mirrors behind them. The
 * first Lstor with a row of the block is tried alone, and for later ranges of the block those that
 * it was decoded by; what these cannot do, all are asked for.
 *
 * <p>Invariant: what is returned was decoded from parity and tables that belong together. A disk
 * that comes back may change its Lstor, and a row that the table still has and the parity has no
 * more would be taken out of data and CRCs alike, so that these match. So the count of the Lstor's
 * openings is compared before the table is read and after the range was decoded: for each Lstor
 * that the range was decoded by. Others may change meanwhile. That no Lstor has a row of a block is
 * said only if none has changed.
 *
 * <p>Thread-safe.
 */
public final class RangeReader implements Closeable {
  private static final int FETCH_THREADS = 16;

  private static final int MAX_ATTEMPTS = 3;

  /** Of how many blocks is kept by which Lstors they were decoded. */
  private static final int MAX_BLOCKS = 1_000;

  private final RebuildClients clients;
  private final HostBreaker breaker;
  private final SlotTables tables;
  private final RangeDecoder decoder;

  /** Ids of disks by block id, least recently used first. Guarded by itself. */
  private final Map<Long, Set<String>> usedDisks = new LinkedHashMap<>(16, 0.75f, true);

  /** A range that is wanted. */
  private record BlockRange(WantedBlock block, long offset, int lengthBytes) {}

  /**
   * @param clients closed by their owner, after this
   * @param kernel multiplies and adds
   */
  public RangeReader(RebuildClients clients, Kernel kernel, Clock clock) {
    this(clients, kernel, clock, SlotTables.maxRows(Runtime.getRuntime().maxMemory()));
  }

  RangeReader(RebuildClients clients, Kernel kernel, Clock clock, int maxRows) {
    this.clients = clients;
    this.breaker = new HostBreaker(clock);
    this.tables = new SlotTables(clients, breaker, maxRows);
    this.decoder = new RangeDecoder(RangeRequest.MAX_BYTES, FETCH_THREADS, kernel);
  }

  /**
   * Decodes a range.
   *
   * @param sources those that most likely have the block first
   * @return empty: no Lstor has a row of the block
   * @throws IOException when the range cannot be decoded, or no Lstor can be read
   */
  public Optional<byte[]> read(
      ExpectedBlock block, List<LstorSource> sources, long offset, int lengthBytes)
      throws IOException {
    BlockRange wanted =
        new BlockRange(
            new WantedBlock(
                block.blockId(), block.generationStamp(), block.complete(), block.numBytes()),
            offset,
            lengthBytes);
    Optional<RangeDecoder.Range> range = fromUsed(wanted, sources);
    if (range.isEmpty()) {
      Optional<SlotTables.Table> first = firstWithRow(block.blockId(), sources);
      if (first.isEmpty()) {
        return Optional.empty();
      }
      SlotTables.Table table = first.get();
      range = fromFew(wanted, Map.of(table.source().diskId(), table), sources);
    }
    if (range.isEmpty()) {
      range = fromAll(wanted, sources);
    }
    range.ifPresent(each -> note(block.blockId(), each.disks()));
    return range.map(RangeDecoder.Range::bytes);
  }

  /**
   * By the Lstors that the block's last range was decoded by; empty: there was none, or they fail.
   */
  private Optional<RangeDecoder.Range> fromUsed(BlockRange wanted, List<LstorSource> sources) {
    List<String> problems = new ArrayList<>();
    Map<String, SlotTables.Table> few = new LinkedHashMap<>();
    Set<String> used = usedFor(wanted.block().blockId());
    for (LstorSource source : sources) {
      if (used.contains(source.diskId())) {
        open(source, few, problems);
      }
    }
    return few.isEmpty() || few.size() < used.size()
        ? Optional.empty()
        : fromFew(wanted, few, sources);
  }

  /**
   * The first table with a row of a block. Tables are looked at one after the other, since there
   * may be no room for all.
   *
   * @return empty: no Lstor had a row at one moment
   * @throws IOException when none is found and an Lstor cannot be read, or changes all the time
   */
  private Optional<SlotTables.Table> firstWithRow(long blockId, List<LstorSource> sources)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      List<String> problems = new ArrayList<>();
      Map<LstorSource, Long> takes = new LinkedHashMap<>();
      for (LstorSource source : sources) {
        Map<String, SlotTables.Table> one = new LinkedHashMap<>();
        open(source, one, problems);
        for (SlotTables.Table table : one.values()) {
          if (table.disk().hasRow(blockId)) {
            return Optional.of(table);
          }
          takes.put(source, table.takes());
        }
      }
      if (!problems.isEmpty()) {
        throw notFound(blockId, problems);
      }
      boolean unchanged = true;
      for (Map.Entry<LstorSource, Long> each : takes.entrySet()) {
        unchanged &= tables.isUnchanged(each.getKey(), each.getValue());
      }
      if (unchanged) {
        return Optional.empty();
      }
      if (attempt == MAX_ATTEMPTS) {
        throw changing(blockId, attempt);
      }
    }
  }

  /** Empty: all Lstors have to be asked. */
  private Optional<RangeDecoder.Range> fromFew(
      BlockRange wanted, Map<String, SlotTables.Table> few, List<LstorSource> sources) {
    try {
      return decode(wanted, few, sources).filter(range -> areUnchanged(few, range.disks()));
    } catch (IOException e) {
      // They say so again together with the others.
      return Optional.empty();
    }
  }

  private Optional<RangeDecoder.Range> fromAll(BlockRange wanted, List<LstorSource> sources)
      throws IOException {
    long blockId = wanted.block().blockId();
    for (int attempt = 1; ; attempt++) {
      List<String> problems = new ArrayList<>();
      Map<String, SlotTables.Table> all = new LinkedHashMap<>();
      sources.forEach(source -> open(source, all, problems));
      Optional<RangeDecoder.Range> range;
      try {
        range = decode(wanted, all, sources);
      } catch (IOException e) {
        if (attempt == MAX_ATTEMPTS || areUnchanged(all, all.keySet())) {
          throw problems.isEmpty()
              ? e
              : new IOException(e.getMessage() + "; " + String.join("; ", problems), e);
        }
        continue;
      }
      if (range.isEmpty() && !problems.isEmpty()) {
        throw notFound(blockId, problems);
      }
      if (areUnchanged(all, range.map(RangeDecoder.Range::disks).orElse(all.keySet()))) {
        return range;
      }
      if (attempt == MAX_ATTEMPTS) {
        throw changing(blockId, attempt);
      }
    }
  }

  private static UndecodableException notFound(long blockId, List<String> problems) {
    return new UndecodableException(
        "Cannot decode range: block="
            + blockId
            + ", expected all Lstors of failed disks, to find its row: "
            + String.join("; ", problems));
  }

  private static IOException changing(long blockId, int attempts) {
    return new IOException(
        "Cannot decode range: block="
            + blockId
            + " attempts="
            + attempts
            + ", expected Lstors of failed disks that do not change; read again");
  }

  private Optional<RangeDecoder.Range> decode(
      BlockRange wanted, Map<String, SlotTables.Table> tables, List<LstorSource> sources)
      throws IOException {
    List<IndexedDisk> disks = new ArrayList<>();
    tables.forEach(
        (diskId, table) ->
            disks.add(
                table
                    .disk()
                    .with(new RemoteMirrors(clients, breaker, table.parity(), () -> sources))));
    return decoder.decode(disks, wanted.block(), wanted.offset(), wanted.lengthBytes());
  }

  private void open(LstorSource source, Map<String, SlotTables.Table> into, List<String> problems) {
    try {
      into.put(source.diskId(), tables.open(source));
    } catch (IOException e) {
      problems.add(source.name() + ": " + e.getMessage());
    }
  }

  /** Forgets those that have changed, or may have. */
  private boolean areUnchanged(Map<String, SlotTables.Table> open, Collection<String> diskIds) {
    boolean all = true;
    for (String diskId : diskIds) {
      SlotTables.Table table = open.get(diskId);
      all &= tables.isUnchanged(table.source(), table.takes());
    }
    return all;
  }

  private Set<String> usedFor(long blockId) {
    synchronized (usedDisks) {
      return usedDisks.getOrDefault(blockId, Set.of());
    }
  }

  private void note(long blockId, Set<String> diskIds) {
    synchronized (usedDisks) {
      usedDisks.put(blockId, diskIds);
      if (usedDisks.size() > MAX_BLOCKS) {
        usedDisks.remove(usedDisks.keySet().iterator().next());
      }
    }
  }

  @Override
  public void close() {
    decoder.close();
  }
}
