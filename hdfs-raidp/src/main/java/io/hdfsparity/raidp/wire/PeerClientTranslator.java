/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.RpcProxies;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.message.HealReport;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.AllocateRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.CoverRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.CoveredRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.CoveredResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.FindRowsRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.HealRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.HealResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ListEntriesRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReadImageResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReleaseRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReleaseTicketRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReleasedRequestProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;

/** Client side of {@link RaidpPeerProtocol}. Thread-safe. */
public final class PeerClientTranslator implements RaidpPeerProtocol, Closeable {
  private final RaidpPeerProtocolPB proxy;

  /**
   * @param timeoutMs of a call, connecting included; 0: as long as it takes (scrub)
   */
  public PeerClientTranslator(InetSocketAddress peer, Configuration conf, int timeoutMs)
      throws IOException {
    proxy = RpcProxies.create(RaidpPeerProtocolPB.class, peer, conf, timeoutMs);
  }

  @Override
  public List<Run> allocate(
      SuperchunkRef superchunk, long blockId, int units, Optional<SlotEntry> followerHas)
      throws IOException {
    AllocateRequestProto.Builder b =
        AllocateRequestProto.newBuilder()
            .setSuperchunkId(superchunk.superchunkId())
            .setEpoch(superchunk.epoch())
            .setBlockId(blockId)
            .setUnits(units);
    followerHas.ifPresent(entry -> b.setFollowerHas(SlotMessages.toProto(entry)));
    return SlotMessages.runs(Calls.remote(() -> proxy.allocate(null, b.build())).getRunsList());
  }

  @Override
  public Optional<SlotEntry> covered(
      SuperchunkRef superchunk,
      long blockId,
      long generationStamp,
      long coveredBytes,
      List<Run> runs)
      throws IOException {
    CoveredResponseProto p =
        Calls.remote(
            () ->
                proxy.covered(
                    null,
                    CoveredRequestProto.newBuilder()
                        .setSuperchunkId(superchunk.superchunkId())
                        .setEpoch(superchunk.epoch())
                        .setBlockId(blockId)
                        .setGenerationStamp(generationStamp)
                        .setCoveredBytes(coveredBytes)
                        .addAllRuns(SlotMessages.toProto(runs))
                        .build()));
    return p.hasMine() ? Optional.of(SlotMessages.entry(p.getMine())) : Optional.empty();
  }

  @Override
  public boolean released(SuperchunkRef superchunk, long blockId) throws IOException {
    return Calls.remote(
            () ->
                proxy.released(
                    null,
                    ReleasedRequestProto.newBuilder()
                        .setSuperchunkId(superchunk.superchunkId())
                        .setEpoch(superchunk.epoch())
                        .setBlockId(blockId)
                        .build()))
        .getCovers();
  }

  @Override
  public byte[] readImage(ImageRequest request) throws IOException {
    ReadImageResponseProto p =
        Calls.remote(() -> proxy.readImage(null, SlotMessages.toProto(request)));
    return WireChecksum.verified(request.toString(), p.getData(), p.getCrc32C(), request.count());
  }

  @Override
  public List<SlotEntry> listEntries(String storageId, OptionalLong superchunkId)
      throws IOException {
    ListEntriesRequestProto.Builder request =
        ListEntriesRequestProto.newBuilder().setStorageId(storageId);
    superchunkId.ifPresent(request::setSuperchunkId);
    return Calls.remote(() -> proxy.listEntries(null, request.build())).getEntriesList().stream()
        .map(SlotMessages::entry)
        .toList();
  }

  @Override
  public List<SlotEntry> findRows(String storageId, List<Long> blockIds) throws IOException {
    FindRowsRequestProto request =
        FindRowsRequestProto.newBuilder().setStorageId(storageId).addAllBlockIds(blockIds).build();
    return Calls.remote(() -> proxy.findRows(null, request)).getRowsList().stream()
        .map(SlotMessages::entry)
        .toList();
  }

  @Override
  public List<Long> cover(String storageId, SuperchunkRef superchunk, List<Long> blockIds)
      throws IOException {
    CoverRequestProto request =
        CoverRequestProto.newBuilder()
            .setStorageId(storageId)
            .setSuperchunkId(superchunk.superchunkId())
            .setEpoch(superchunk.epoch())
            .addAllBlockIds(blockIds)
            .build();
    return Calls.remote(() -> proxy.cover(null, request)).getBlockIdsList();
  }

  @Override
  public List<Long> release(
      String storageId, SuperchunkRef superchunk, Map<Long, Long> generationStamps, long ticket)
      throws IOException {
    ReleaseRequestProto.Builder request =
        ReleaseRequestProto.newBuilder()
            .setStorageId(storageId)
            .setSuperchunkId(superchunk.superchunkId())
            .setEpoch(superchunk.epoch())
            .setTicket(ticket);
    generationStamps.forEach(
        (blockId, stamp) -> request.addBlockIds(blockId).addGenerationStamps(stamp));
    return Calls.remote(() -> proxy.release(null, request.build())).getBlockIdsList();
  }

  @Override
  public long releaseTicket() throws IOException {
    return Calls.remote(
            () -> proxy.releaseTicket(null, ReleaseTicketRequestProto.getDefaultInstance()))
        .getTicket();
  }

  @Override
  public ScrubReport scrub(ScrubRequest request) throws IOException {
    return SlotMessages.scrubReport(
        Calls.remote(() -> proxy.scrub(null, SlotMessages.toProto(request))));
  }

  @Override
  public LstorRebuildStatus rebuildLstor(LstorRebuildRequest request) throws IOException {
    return ReportMessages.lstorRebuildStatus(
        Calls.remote(() -> proxy.rebuildLstor(null, ReportMessages.toProto(request))));
  }

  @Override
  public HealReport heal(HealRequest request) throws IOException {
    HealResponseProto p =
        Calls.remote(
            () ->
                proxy.heal(
                    null,
                    HealRequestProto.newBuilder()
                        .setStorageId(request.storageId())
                        .setBlockId(request.blockId())
                        .setGenerationStamp(request.generationStamp())
                        .setLengthBytes(request.lengthBytes())
                        .build()));
    return new HealReport(
        HealReport.Outcome.valueOf(p.getOutcome().name().substring("HEAL_".length())),
        p.getDetail());
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
