/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import io.hdfsparity.raidp.recovery.DeadDisk;
import io.hdfsparity.raidp.recovery.IndexedDisk;
import io.hdfsparity.raidp.recovery.MirrorSource;
import io.hdfsparity.raidp.wire.message.LstorSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;

/**
 * Slot tables of dead disks, kept for readers that come again: a table of a large disk has ten
 * thousands of rows. Those that were used last are kept, up to a number of rows. Thread-safe.
 */
final class SlotTables {
  /** Heap of a row with its place in the index. */
  static final long BYTES_PER_ROW = 300;

  private static final int MIN_ROWS = 50_000;
  private static final int MAX_ROWS = 2_000_000;

  /** A DataNode has other uses for its heap. */
  private static final int HEAP_SHARE = 16;

  private static final MirrorSource NO_MIRRORS =
      (row, kind, position, dst) -> {
        throw new IOException("Cannot read mirror: block=" + row.blockId() + ", expected mirrors");
      };

  private final RebuildClients clients;
  private final HostBreaker breaker;
  private final int maxRows;

  /** By disk id, least recently used first. Guarded by itself. */
  private final Map<String, Table> tables = new LinkedHashMap<>(16, 0.75f, true);

  /** By disk id: two readers do not read the same table at a time. */
  private final Map<String, Object> opening = new ConcurrentHashMap<>();

  /**
   * A slot table.
   *
   * @param parity the Lstor, with the rows that are indexed
   */
  record Table(LstorSource source, RemoteParity parity, IndexedDisk disk) {
    /** How often the Lstor had been opened before the table was read. */
    long takes() {
      return parity.takes();
    }

    private boolean isAt(LstorSource other) {
      return source.host().equals(other.host()) && source.port() == other.port();
    }
  }

  SlotTables(RebuildClients clients, HostBreaker breaker, int maxRows) {
    this.clients = clients;
    this.breaker = breaker;
    this.maxRows = maxRows;
  }

  /** How many rows may be kept. */
  static int maxRows(long heapBytes) {
    return (int) Math.max(MIN_ROWS, Math.min(MAX_ROWS, heapBytes / HEAP_SHARE / BYTES_PER_ROW));
  }

  /** The table of a dead disk; its mirrors are the caller's to add. */
  Table open(LstorSource source) throws IOException {
    synchronized (opening.computeIfAbsent(source.diskId(), id -> new Object())) {
      Table known = known(source);
      if (known != null) {
        return known;
      }
      RemoteParity parity = RemoteParity.open(clients, breaker, source);
      IndexedDisk disk = IndexedDisk.of(new DeadDisk(parity, NO_MIRRORS, DeadDisk.NO_FRAME));
      Table table = new Table(source, parity, disk);
      keep(table);
      return table;
    }
  }

  private @Nullable Table known(LstorSource source) {
    synchronized (tables) {
      Table known = tables.get(source.diskId());
      return known != null && known.isAt(source) ? known : null;
    }
  }

  private void keep(Table table) {
    synchronized (tables) {
      tables.put(table.source().diskId(), table);
      long rows = tables.values().stream().mapToLong(each -> each.disk().rows()).sum();
      Iterator<Table> oldest = tables.values().iterator();
      while (rows > maxRows && tables.size() > 1) {
        rows -= oldest.next().disk().rows();
        oldest.remove();
      }
    }
  }

  /**
   * Whether parity that was read up to now belongs to a table; if not, the table is dropped.
   *
   * @param takes of the table
   */
  boolean isUnchanged(LstorSource source, long takes) {
    boolean same;
    try {
      same = takes(source) == takes;
    } catch (IOException e) {
      same = false;
    }
    if (!same) {
      synchronized (tables) {
        Table kept = tables.get(source.diskId());
        if (kept != null && kept.isAt(source) && kept.takes() == takes) {
          tables.remove(source.diskId());
        }
      }
    }
    return same;
  }

  private long takes(LstorSource source) throws IOException {
    InetSocketAddress daemon = NetUtils.createSocketAddrForHost(source.host(), source.port());
    return breaker.run(daemon, () -> clients.lstor(daemon).takes(source.diskId()));
  }
}
