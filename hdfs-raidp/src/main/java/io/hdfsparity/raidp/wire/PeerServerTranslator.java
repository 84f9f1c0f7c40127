/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.MayCall;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.message.HealReport;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.AllocateRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.AllocateResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.CoverRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.CoverResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.CoveredRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.CoveredResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.FindRowsRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.FindRowsResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.HealOutcomeProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.HealRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.HealResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ListEntriesRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ListEntriesResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorRebuildStatusProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReadImageRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReadImageResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RebuildLstorRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReleaseRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReleaseResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReleaseTicketRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReleaseTicketResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReleasedRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReleasedResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ScrubRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ScrubResponseProto;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;

/** Server side of {@link RaidpPeerProtocol}. Thread-safe. */
public final class PeerServerTranslator implements RaidpPeerProtocolPB {
  private final RaidpProtocols.PeerSource source;

  PeerServerTranslator(RaidpProtocols.PeerSource source) {
    this.source = source;
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public AllocateResponseProto allocate(RpcController unused, AllocateRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> {
          Optional<SlotEntry> has =
              r.hasFollowerHas()
                  ? Optional.of(SlotMessages.entry(r.getFollowerHas()))
                  : Optional.empty();
          SuperchunkRef superchunk = new SuperchunkRef(r.getSuperchunkId(), r.getEpoch());
          return AllocateResponseProto.newBuilder()
              .addAllRuns(
                  SlotMessages.toProto(
                      source.get().allocate(superchunk, r.getBlockId(), r.getUnits(), has)))
              .build();
        });
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public CoveredResponseProto covered(RpcController unused, CoveredRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> {
          CoveredResponseProto.Builder b = CoveredResponseProto.newBuilder();
          source
              .get()
              .covered(
                  new SuperchunkRef(r.getSuperchunkId(), r.getEpoch()),
                  r.getBlockId(),
                  r.getGenerationStamp(),
                  r.getCoveredBytes(),
                  SlotMessages.runs(r.getRunsList()))
              .ifPresent(mine -> b.setMine(SlotMessages.toProto(mine)));
          return b.build();
        });
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public ReleasedResponseProto released(RpcController unused, ReleasedRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> {
          return ReleasedResponseProto.newBuilder()
              .setCovers(
                  source
                      .get()
                      .released(
                          new SuperchunkRef(r.getSuperchunkId(), r.getEpoch()), r.getBlockId()))
              .build();
        });
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public ReadImageResponseProto readImage(RpcController unused, ReadImageRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> {
          byte[] data = source.get().readImage(SlotMessages.imageRequest(r));
          return ReadImageResponseProto.newBuilder()
              .setData(UnsafeByteOperations.unsafeWrap(data))
              .setCrc32C(WireChecksum.of(data))
              .build();
        });
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public ListEntriesResponseProto listEntries(RpcController unused, ListEntriesRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> {
          OptionalLong superchunkId =
              r.hasSuperchunkId() ? OptionalLong.of(r.getSuperchunkId()) : OptionalLong.empty();
          return ListEntriesResponseProto.newBuilder()
              .addAllEntries(
                  source.get().listEntries(r.getStorageId(), superchunkId).stream()
                      .map(SlotMessages::toProto)
                      .toList())
              .build();
        });
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public FindRowsResponseProto findRows(RpcController unused, FindRowsRequestProto r)
      throws ServiceException {
    return Calls.local(
        () ->
            FindRowsResponseProto.newBuilder()
                .addAllRows(
                    source.get().findRows(r.getStorageId(), r.getBlockIdsList()).stream()
                        .map(SlotMessages::toProto)
                        .toList())
                .build());
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public CoverResponseProto cover(RpcController unused, CoverRequestProto r)
      throws ServiceException {
    SuperchunkRef superchunk = new SuperchunkRef(r.getSuperchunkId(), r.getEpoch());
    return Calls.local(
        () ->
            CoverResponseProto.newBuilder()
                .addAllBlockIds(
                    source.get().cover(r.getStorageId(), superchunk, r.getBlockIdsList()))
                .build());
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public ReleaseResponseProto release(RpcController unused, ReleaseRequestProto r)
      throws ServiceException {
    SuperchunkRef superchunk = new SuperchunkRef(r.getSuperchunkId(), r.getEpoch());
    return Calls.local(
        () ->
            ReleaseResponseProto.newBuilder()
                .addAllBlockIds(
                    source
                        .get()
                        .release(
                            r.getStorageId(),
                            superchunk,
                            SlotMessages.generationStamps(r),
                            r.getTicket()))
                .build());
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public ReleaseTicketResponseProto releaseTicket(RpcController unused, ReleaseTicketRequestProto r)
      throws ServiceException {
    return Calls.local(
        () ->
            ReleaseTicketResponseProto.newBuilder()
                .setTicket(source.get().releaseTicket())
                .build());
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public ScrubResponseProto scrub(RpcController unused, ScrubRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> {
          return SlotMessages.toProto(source.get().scrub(SlotMessages.scrubRequest(r)));
        });
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public LstorRebuildStatusProto rebuildLstor(RpcController unused, RebuildLstorRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> {
          return ReportMessages.toProto(
              source.get().rebuildLstor(ReportMessages.lstorRebuildRequest(r)));
        });
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public HealResponseProto heal(RpcController unused, HealRequestProto r) throws ServiceException {
    return Calls.local(
        () -> {
          HealReport report =
              source
                  .get()
                  .heal(
                      new HealRequest(
                          r.getStorageId(),
                          r.getBlockId(),
                          r.getGenerationStamp(),
                          r.getLengthBytes()));
          return HealResponseProto.newBuilder()
              .setOutcome(HealOutcomeProto.valueOf("HEAL_" + report.outcome().name()))
              .setDetail(report.detail())
              .build();
        });
  }
}
