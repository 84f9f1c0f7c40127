/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.RpcProxies;
import io.hdfsparity.raidp.wire.message.RangeRequest;
import io.hdfsparity.raidp.wire.proto.RaidpReadProtos.ReadRangeRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpReadProtos.ReadRangeResponseProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** Client side of {@link RaidpRangeProtocol}. Thread-safe. */
public final class RangeClientTranslator implements RaidpRangeProtocol, Closeable {
  private final RaidpRangeProtocolPB proxy;

  /**
   * @param user who calls
   * @param timeoutMs of a call, connecting included
   */
  public RangeClientTranslator(
      InetSocketAddress dataNode, Configuration conf, UserGroupInformation user, int timeoutMs)
      throws IOException {
    proxy = RpcProxies.create(RaidpRangeProtocolPB.class, dataNode, conf, user, timeoutMs);
  }

  @Override
  public byte[] readRange(RangeRequest r) throws IOException {
    ReadRangeRequestProto request =
        ReadRangeRequestProto.newBuilder()
            .setBlockPoolId(r.block().getBlockPoolId())
            .setBlockId(r.block().getBlockId())
            .setGenerationStamp(r.block().getGenerationStamp())
            .setOffset(r.offset())
            .setCount(r.count())
            .setTokenIdentifier(ByteString.copyFrom(r.token().getIdentifier()))
            .setTokenPassword(ByteString.copyFrom(r.token().getPassword()))
            .build();
    ReadRangeResponseProto p = Calls.remote(() -> proxy.readRange(null, request));
    return WireChecksum.verified(
        "range block=" + r.block() + " offset=" + r.offset(),
        p.getData(),
        p.getCrc32C(),
        r.count());
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
