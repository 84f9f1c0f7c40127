/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.raidp.recovery.DeadDisk;
import io.hdfsparity.raidp.recovery.IndexedDisk;
import io.hdfsparity.raidp.recovery.RangeDecoder;
import io.hdfsparity.raidp.recovery.WantedBlock;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.RangeRequest;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.net.NetUtils;

/**
 * Decodes ranges of lost blocks from the Lstors of dead disks and the mirrors behind them. Slot
 * tables are kept: a table of a large disk has ten thousands of rows, and readers come again.
 *
 * <p>Invariant: what is returned was decoded from parity and tables that belong together. A disk
 * that comes back may change its Lstor, and a row that the table still has and the parity has no
 * more would be taken out of data and CRCs alike, so that these match. So the count of the Lstor's
 * openings is compared before the table is read and after the range was decoded.
 *
 * <p>Thread-safe.
 */
public final class RangeReader implements Closeable {
  private static final int FETCH_THREADS = 16;

  /** Some 100 bytes a row: what a node keeps for readers is bounded. */
  static final int MAX_ROWS = 200_000;

  private static final int MAX_ATTEMPTS = 3;

  private final RebuildClients clients;
  private final HostBreaker breaker;
  private final RangeDecoder decoder;

  /** By disk id, least recently used first. Guarded by itself. */
  private final Map<String, Table> tables = new LinkedHashMap<>(16, 0.75f, true);

  /** A slot table, and when it was valid. */
  private record Table(String host, int port, long takes, int rows, IndexedDisk disk) {
    boolean isAt(LstorSource source) {
      return host.equals(source.host()) && port == source.port();
    }
  }

  /**
   * @param clients closed by their owner, after this
   * @param kernel multiplies and adds
   */
  public RangeReader(RebuildClients clients, Kernel kernel, Clock clock) {
    this.clients = clients;
    this.breaker = new HostBreaker(clock);
    this.decoder = new RangeDecoder(RangeRequest.MAX_BYTES, FETCH_THREADS, kernel);
  }

  /**
   * Decodes a range.
   *
   * @return empty: no Lstor has a row of the block
   * @throws IOException when the range cannot be decoded, or no Lstor can be read
   */
  public Optional<byte[]> read(
      ExpectedBlock block, List<LstorSource> sources, long offset, int lengthBytes)
      throws IOException {
    WantedBlock wanted =
        new WantedBlock(
            block.blockId(), block.generationStamp(), block.complete(), block.numBytes());
    for (int attempt = 1; ; attempt++) {
      List<String> problems = new ArrayList<>();
      Map<LstorSource, Table> open = open(sources, problems);
      List<IndexedDisk> disks = new ArrayList<>();
      open.forEach((source, table) -> disks.add(table.disk().with(mirrors(source, sources))));
      Optional<byte[]> bytes;
      try {
        bytes = decoder.decode(disks, wanted, offset, lengthBytes);
      } catch (IOException e) {
        if (attempt == MAX_ATTEMPTS || areUnchanged(open)) {
          throw problems.isEmpty()
              ? e
              : new IOException(e.getMessage() + "; " + String.join("; ", problems), e);
        }
        continue;
      }
      if (bytes.isEmpty() && !problems.isEmpty()) {
        throw new IOException(
            "Cannot decode range: block="
                + block.blockId()
                + ", expected all Lstors of failed disks, to find its row: "
                + String.join("; ", problems));
      }
      if (areUnchanged(open)) {
        return bytes;
      }
      if (attempt == MAX_ATTEMPTS) {
        throw new IOException(
            "Cannot decode range: block="
                + block.blockId()
                + " attempts="
                + attempt
                + ", expected Lstors of failed disks that do not change; read again");
      }
    }
  }

  private RemoteMirrors mirrors(LstorSource source, List<LstorSource> sources) {
    return new RemoteMirrors(clients, breaker, source.diskId(), () -> sources);
  }

  private Map<LstorSource, Table> open(List<LstorSource> sources, List<String> problems) {
    Map<LstorSource, Table> open = new LinkedHashMap<>();
    for (LstorSource source : sources) {
      try {
        open.put(source, table(source));
      } catch (IOException e) {
        problems.add(source.name() + ": " + e.getMessage());
      }
    }
    return open;
  }

  private Table table(LstorSource source) throws IOException {
    synchronized (tables) {
      Table known = tables.get(source.diskId());
      if (known != null && known.isAt(source)) {
        return known;
      }
    }
    long takes = takes(source);
    RemoteParity parity = RemoteParity.open(clients, breaker, source);
    IndexedDisk disk =
        IndexedDisk.of(new DeadDisk(parity, mirrors(source, List.of(source)), DeadDisk.NO_FRAME));
    Table table = new Table(source.host(), source.port(), takes, parity.rows().size(), disk);
    synchronized (tables) {
      tables.put(source.diskId(), table);
      int rows = tables.values().stream().mapToInt(Table::rows).sum();
      Iterator<Map.Entry<String, Table>> oldest = tables.entrySet().iterator();
      while (rows > MAX_ROWS && tables.size() > 1) {
        rows -= oldest.next().getValue().rows();
        oldest.remove();
      }
    }
    return table;
  }

  private long takes(LstorSource source) throws IOException {
    InetSocketAddress daemon = NetUtils.createSocketAddrForHost(source.host(), source.port());
    return breaker.run(daemon, () -> clients.lstor(daemon).takes(source.diskId()));
  }

  /** Forgets those that have changed, or may have. */
  private boolean areUnchanged(Map<LstorSource, Table> open) {
    boolean all = true;
    for (Map.Entry<LstorSource, Table> each : open.entrySet()) {
      boolean same;
      try {
        same = takes(each.getKey()) == each.getValue().takes();
      } catch (IOException e) {
        same = false;
      }
      if (!same) {
        synchronized (tables) {
          tables.remove(each.getKey().diskId(), each.getValue());
        }
        all = false;
      }
    }
    return all;
  }

  @Override
  public void close() {
    decoder.close();
  }
}
