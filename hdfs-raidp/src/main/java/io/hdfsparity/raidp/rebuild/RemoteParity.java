/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.recovery.ParitySource;
import io.hdfsparity.raidp.wire.RaidpLstorProtocol;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.LstorInfo;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.net.NetUtils;

/**
 * The Lstor of a dead disk behind its daemon. Rows are read once, when it is made. The daemon gives
 * the Lstor to its DataNode when that comes back, so the count of openings is noted before the rows
 * are read: while it stays the same, parity belongs to the rows. Thread-safe.
 */
final class RemoteParity implements ParitySource {
  /** Most bytes of one answer: the largest chunk would otherwise fill the heaps of both sides. */
  static final int MAX_CALL_BYTES = 4 << 20;

  private final RebuildClients clients;
  private final HostBreaker breaker;
  private final InetSocketAddress daemon;
  private final String diskId;
  private final LstorInfo info;
  private final long takes;
  private final List<SlotEntry> rows;

  private RemoteParity(
      RebuildClients clients,
      HostBreaker breaker,
      InetSocketAddress daemon,
      LstorInfo info,
      long takes,
      List<SlotEntry> rows) {
    this.clients = clients;
    this.breaker = breaker;
    this.daemon = daemon;
    this.diskId = info.diskId();
    this.info = info;
    this.takes = takes;
    this.rows = List.copyOf(rows);
  }

  /** Reads the tables of an Lstor. */
  static RemoteParity open(RebuildClients clients, HostBreaker breaker, LstorSource source)
      throws IOException {
    InetSocketAddress daemon = NetUtils.createSocketAddrForHost(source.host(), source.port());
    return breaker.run(
        daemon,
        () -> {
          RaidpLstorProtocol lstor = clients.lstor(daemon);
          long takes = lstor.takes(source.diskId());
          // The rows before the information: reading them makes the daemon open the Lstor, which
          // brings its
          // information up to date.
          List<SlotEntry> rows = lstor.entries(source.diskId(), OptionalInt.empty());
          LstorInfo info = lstor.info(source.diskId());
          return new RemoteParity(clients, breaker, daemon, info, takes, rows);
        });
  }

  /** Whether the Lstor knows a frame by its index. */
  boolean hasFrame(int frameIndex) {
    return info.frames().stream().anyMatch(frame -> frame.frameIndex() == frameIndex);
  }

  /** Superchunk and epoch of a frame as the Lstor has them on record. */
  Optional<SuperchunkRef> pairOf(int frameIndex) {
    return info.frames().stream()
        .filter(frame -> frame.frameIndex() == frameIndex)
        .flatMap(frame -> frame.pairing().stream())
        .map(pairing -> new SuperchunkRef(pairing.superchunkId(), pairing.epoch()))
        .findFirst();
  }

  /** How often the Lstor had been opened before its rows were read. */
  long takes() {
    return takes;
  }

  @Override
  public String diskId() {
    return diskId;
  }

  @Override
  public LstorGeometry geometry() {
    return info.geometry();
  }

  @Override
  public List<SlotEntry> rows() {
    return rows;
  }

  @Override
  public void readParity(ParityKind kind, long position, ByteBuffer dst) throws IOException {
    for (long at = position; dst.hasRemaining(); ) {
      int count = Math.min(MAX_CALL_BYTES, dst.remaining());
      long from = at;
      byte[] bytes =
          breaker.run(
              daemon, () -> clients.lstor(daemon).readParity(diskId, wire(kind), from, count));
      dst.put(bytes);
      at += count;
    }
  }

  @Override
  public void requireUnchanged() throws IOException {
    long now = breaker.run(daemon, () -> clients.lstor(daemon).takes(diskId));
    if (now != takes) {
      breaker.noteUnanswered();
      throw new IOException(
          "Cannot use Lstor: takes="
              + now
              + ", expected the count of openings that its slot table was read at, "
              + takes
              + ", disk="
              + diskId);
    }
  }

  static ImageKind wire(ParityKind kind) {
    return kind == ParityKind.DATA ? ImageKind.DATA : ImageKind.META;
  }
}
