/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.RpcProxies;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.LstorInfo;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorEntriesRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorInfoRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorTakesRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReadParityRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReadParityResponseProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.OptionalInt;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;

/** Client side of {@link RaidpLstorProtocol}. Thread-safe. */
public final class LstorClientTranslator implements RaidpLstorProtocol, Closeable {
  private final RaidpLstorProtocolPB proxy;

  /**
   * @param timeoutMs of a call, connecting included
   */
  public LstorClientTranslator(InetSocketAddress daemon, Configuration conf, int timeoutMs)
      throws IOException {
    proxy = RpcProxies.create(RaidpLstorProtocolPB.class, daemon, conf, timeoutMs);
  }

  @Override
  public LstorInfo info(String diskId) throws IOException {
    return SlotMessages.lstorInfo(
        Calls.remote(
            () -> proxy.info(null, LstorInfoRequestProto.newBuilder().setDiskId(diskId).build())));
  }

  @Override
  public List<SlotEntry> entries(String diskId, OptionalInt frameIndex) throws IOException {
    LstorEntriesRequestProto.Builder b = LstorEntriesRequestProto.newBuilder().setDiskId(diskId);
    frameIndex.ifPresent(b::setFrameIndex);
    return Calls.remote(() -> proxy.entries(null, b.build())).getEntriesList().stream()
        .map(SlotMessages::entry)
        .toList();
  }

  @Override
  public long takes(String diskId) throws IOException {
    LstorTakesRequestProto request = LstorTakesRequestProto.newBuilder().setDiskId(diskId).build();
    return Calls.remote(() -> proxy.takes(null, request)).getTakes();
  }

  @Override
  public byte[] readParity(String diskId, ImageKind kind, long position, int count)
      throws IOException {
    ReadParityResponseProto p =
        Calls.remote(
            () ->
                proxy.readParity(
                    null,
                    ReadParityRequestProto.newBuilder()
                        .setDiskId(diskId)
                        .setKind(SlotMessages.toProto(kind))
                        .setPosition(position)
                        .setCount(count)
                        .build()));
    return WireChecksum.verified(
        "parity disk=" + diskId + " kind=" + kind + " position=" + position,
        p.getData(),
        p.getCrc32C(),
        count);
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
