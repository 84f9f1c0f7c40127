/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.lstor.BlockImage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The image of a row as the partner serves it. */
final class RemoteImage implements BlockImage {
  private static final int MAX_BYTES = 1 << 20;

  private final RaidpPeerProtocol peer;
  private final Pairing pairing;
  private final SlotEntry row;

  RemoteImage(RaidpPeerProtocol peer, Pairing pairing, SlotEntry row) {
    this.peer = peer;
    this.pairing = pairing;
    this.row = row;
  }

  @Override
  public void readData(long position, ByteBuffer dst) throws IOException {
    read(ImageKind.DATA, row.coveredBytes(), position, dst);
  }

  @Override
  public void readMeta(long prefixBytes, long position, ByteBuffer dst) throws IOException {
    read(ImageKind.META, prefixBytes, position, dst);
  }

  private void read(ImageKind kind, long prefix, long position, ByteBuffer dst) throws IOException {
    long at = position;
    while (dst.hasRemaining()) {
      int count = Math.min(dst.remaining(), MAX_BYTES);
      dst.put(
          peer.readImage(
              new ImageRequest(
                  pairing.partnerStorageId(),
                  row.blockId(),
                  row.generationStamp(),
                  prefix,
                  kind,
                  at,
                  count,
                  Optional.of(Frame.ref(pairing)))));
      at += count;
    }
  }
}
