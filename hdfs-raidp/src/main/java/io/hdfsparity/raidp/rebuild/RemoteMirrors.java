/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.recovery.MirrorSource;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.Mirror;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.net.NetUtils;

/**
 * Mirrors of a dead disk's frames behind the peer services of their DataNodes. Where they are is
 * asked again for each read, as the manager may send a rebuild newer addresses while it runs. A
 * read says which pair the dead frame was in: a mirror that has another partner by now serves only
 * what it has under the very stamp. Thread-safe.
 */
final class RemoteMirrors implements MirrorSource {
  private final RebuildClients clients;
  private final HostBreaker breaker;
  private final RemoteParity parity;
  private final Supplier<List<LstorSource>> sources;

  RemoteMirrors(
      RebuildClients clients,
      HostBreaker breaker,
      RemoteParity parity,
      Supplier<List<LstorSource>> sources) {
    this.clients = clients;
    this.breaker = breaker;
    this.parity = parity;
    this.sources = sources;
  }

  @Override
  public void readImage(SlotEntry row, ParityKind kind, long position, ByteBuffer dst)
      throws IOException {
    Mirror mirror = mirror(row.frameIndex());
    String storageId = mirror.mirrorStorageId().orElseThrow(() -> none(row));
    PeerAddress server = mirror.server().orElseThrow(() -> none(row));
    InetSocketAddress host = NetUtils.createSocketAddrForHost(server.host(), server.port());
    for (long at = position; dst.hasRemaining(); ) {
      int count = Math.min(RemoteParity.MAX_CALL_BYTES, dst.remaining());
      ImageRequest request =
          new ImageRequest(
              storageId,
              row.blockId(),
              row.generationStamp(),
              row.coveredBytes(),
              RemoteParity.wire(kind),
              at,
              count,
              parity.pairOf(row.frameIndex()));
      dst.put(breaker.run(host, () -> clients.peer(host).readImage(request)));
      at += count;
    }
  }

  private Mirror mirror(int frameIndex) throws IOException {
    return sources.get().stream()
        .filter(source -> source.diskId().equals(parity.diskId()))
        .flatMap(source -> source.mirrors().stream())
        .filter(mirror -> mirror.frameIndex() == frameIndex)
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    "Cannot read mirror: frame="
                        + frameIndex
                        + ", expected a frame that the order names, disk="
                        + parity.diskId()));
  }

  private IOException none(SlotEntry row) {
    return new IOException(
        "Cannot read mirror: block="
            + row.blockId()
            + " frame="
            + row.frameIndex()
            + ", expected a surviving mirror, but none is left, disk="
            + parity.diskId());
  }
}
