/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.RpcProxies;
import io.hdfsparity.raidp.wire.message.LostBlock;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.proto.RaidpReadProtos.FindDecodersRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpReadProtos.FindLostBlockRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpReadProtos.FindLostBlockResponseProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;

/** Client side of {@link RaidpReadProtocol}. Thread-safe. */
public final class ReadClientTranslator implements RaidpReadProtocol, Closeable {
  private final RaidpReadProtocolPB proxy;

  /**
   * @param timeoutMs of a call, connecting included
   */
  public ReadClientTranslator(InetSocketAddress manager, Configuration conf, int timeoutMs)
      throws IOException {
    proxy = RpcProxies.create(RaidpReadProtocolPB.class, manager, conf, timeoutMs);
  }

  @Override
  public List<PeerAddress> findDecoders(String blockPoolId, long blockId) throws IOException {
    FindDecodersRequestProto request =
        FindDecodersRequestProto.newBuilder()
            .setBlockPoolId(blockPoolId)
            .setBlockId(blockId)
            .build();
    return Calls.remote(() -> proxy.findDecoders(null, request)).getDecodersList().stream()
        .map(ReportMessages::peer)
        .toList();
  }

  @Override
  public LostBlock findLostBlock(String nodeUuid, String blockPoolId, long blockId)
      throws IOException {
    FindLostBlockRequestProto request =
        FindLostBlockRequestProto.newBuilder()
            .setNodeUuid(nodeUuid)
            .setBlockPoolId(blockPoolId)
            .setBlockId(blockId)
            .build();
    FindLostBlockResponseProto p = Calls.remote(() -> proxy.findLostBlock(null, request));
    return new LostBlock(
        p.hasExpected()
            ? Optional.of(ReportMessages.expectedBlock(p.getExpected()))
            : Optional.empty(),
        p.getSourcesList().stream().map(ReportMessages::lstorSource).toList(),
        p.getUnreadableList());
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
