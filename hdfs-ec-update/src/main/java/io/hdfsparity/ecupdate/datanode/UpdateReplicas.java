/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.protocol.ControlProtocol;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.StorageStatus;
import io.hdfsparity.ecupdate.storage.EngineReceipts;
import io.hdfsparity.ecupdate.storage.PinnedReader;
import io.hdfsparity.ecupdate.storage.log.ChangePermit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicas of a DataNode, for those who update them: sessions admit them, requests go to their
 * engines. Says nothing about who may: that is checked before. Thread-safe.
 */
public final class UpdateReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateReplicas.class);

  private final String blockPool;
  private final Collection<UpdateVolume> volumes;
  private final GivenUpReplicas givenUp;

  /** Sessions that have been admitted by this process, and have not left. */
  private final Set<Inside> inside = ConcurrentHashMap.newKeySet();

  private record Inside(long blockId, SessionId session) {}

  UpdateReplicas(String blockPool, Collection<UpdateVolume> volumes, GivenUpReplicas givenUp) {
    this.blockPool = blockPool;
    this.volumes = volumes;
    this.givenUp = givenUp;
  }

  /** Whose blocks these are. */
  public String blockPool() {
    return blockPool;
  }

  /**
   * As {@link #admit(long, ReplicaDescriptor, SessionId)}, for somebody who is not known: the
   * replica is not quiescent any more.
   */
  public void admit(long blockId, ReplicaDescriptor descriptor) throws IOException {
    admissible(blockId).admit(blockId, descriptor);
  }

  /**
   * Lets a replica be updated from now on: durable on return. Updates of a group may begin when all
   * its replicas are admitted. Idempotent.
   *
   * @throws IOException if the DataNode does not have it as described, or has another file of its
   *     block, or stock decoders may still have bytes of it from before: then it may be tried again
   */
  public void admit(long blockId, ReplicaDescriptor descriptor, SessionId session)
      throws IOException {
    admissible(blockId).admit(blockId, descriptor, session);
    inside.add(new Inside(blockId, session));
  }

  /**
   * The storage that has a replica which may be admitted. A move that was cut short leaves a file
   * on another disk, too. HDFS uses that one when this disk has failed, and it would lack the
   * changes.
   */
  private UpdateVolume admissible(long blockId) throws IOException {
    UpdateVolume home = volume(blockId);
    if (home.isAdmitted(blockId)) {
      return home;
    }
    for (UpdateVolume other : volumes) {
      if (other != home && !other.isGone(blockId)) {
        throw new IOException(
            ErrorMessage.to("update a replica")
                .value("another file of its block", other.finalPlace(blockId))
                .expected(
                    "only the one that HDFS uses, on storageId="
                        + home.storageId()
                        + ": try again, as it may be about to be deleted; if it stays, delete it and"
                        + " its checksum file")
                .where("block", blockId)
                .message());
      }
    }
    return home;
  }

  /**
   * Whether a replica has been admitted before, by whatever session.
   *
   * @throws IOException if the DataNode does not have it
   */
  boolean isAdmitted(long blockId) throws IOException {
    return volume(blockId).isAdmitted(blockId);
  }

  /** Whether a session has been admitted and has not left. */
  boolean isInside(long blockId, SessionId session) {
    return inside.contains(new Inside(blockId, session));
  }

  /** Sessions are over. What they have left unfinished stays noted. */
  void over(Set<SessionId> sessions) {
    inside.removeIf(each -> sessions.contains(each.session()));
  }

  private void leave(long blockId, SessionId session) throws IOException {
    inside.remove(new Inside(blockId, session));
    volume(blockId).leave(blockId, session);
  }

  /** Sessions that may have left something unfinished in the group of an admitted replica. */
  Set<SessionId> noted(long blockId) throws IOException {
    return volume(blockId).noted(blockId);
  }

  /**
   * Sessions are over on all units of the group, and nothing of theirs is left in any stripe of it:
   * durable on return.
   */
  void crossOut(long blockId, Set<SessionId> sessions) throws IOException {
    sessions.forEach(session -> inside.remove(new Inside(blockId, session)));
    volume(blockId).crossOut(blockId, sessions);
  }

  /**
   * Answers a request; see {@link io.hdfsparity.ecupdate.storage.BlockEngine#handle}.
   *
   * @throws IOException unless the replica is admitted
   */
  public CompletableFuture<Reply> handle(long blockId, int stripe, Request request)
      throws IOException, InterruptedException {
    return handle(blockId, stripe, request, ChangePermit.ALWAYS);
  }

  /** As {@link #handle(long, int, Request)}, as long as it is wanted. */
  CompletableFuture<Reply> handle(long blockId, int stripe, Request request, ChangePermit permit)
      throws IOException, InterruptedException {
    if (request instanceof Request.Leave leave) {
      leave(blockId, new SessionId(leave.session()));
      return CompletableFuture.completedFuture(new Reply.Done());
    }
    return volume(blockId)
        .engineOf(blockId)
        .handle(new SlotKey(key(blockId), stripe), request, permit);
  }

  /** Requests that wait for room may not be wanted any more: they are asked. */
  void judgeWaitingAgain() {
    for (UpdateVolume volume : volumes) {
      try {
        volume.running().judgeWaitingAgain();
      } catch (IOException e) {
        LOG.debug("Nothing waits for room in storageId={}", volume.storageId(), e);
      }
    }
  }

  /** All bytes of an admitted replica as they are now, of a parity block as well. */
  public PinnedReader openReader(long blockId) throws IOException, InterruptedException {
    return volume(blockId).engineOf(blockId).openReader(key(blockId));
  }

  /** Another update scheme for an admitted replica. */
  public void convert(long blockId, String scheme) throws IOException, InterruptedException {
    volume(blockId).engineOf(blockId).convert(key(blockId), scheme);
  }

  /** Brings changes of an admitted replica into its file, but for those that readers keep back. */
  public void merge(long blockId) throws IOException, InterruptedException {
    volume(blockId).engineOf(blockId).merge(key(blockId));
  }

  /** The holder of a lock is taken for failed: it expires, if he still has it. */
  public void expireLock(SlotKey slot, LockId lock) throws IOException {
    volume(slot.replica().blockId()).running().expireLock(slot, lock);
  }

  /**
   * Clients are taken for failed, as {@link io.hdfsparity.ecupdate.storage.BlockEngine#expireLocks}
   * says.
   */
  void expireLocks(LongPredicate clients) throws IOException {
    IOException failure = null;
    for (UpdateVolume volume : volumes) {
      try {
        volume.running().expireLocks(clients);
      } catch (IOException e) {
        failure = e; // one that is out of service keeps no other from it
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** What volumes that are in service keep of replaced bytes for clients. */
  private List<EngineReceipts> receipts() {
    List<EngineReceipts> all = new ArrayList<>();
    for (UpdateVolume volume : volumes) {
      try {
        all.add(volume.running().receipts());
      } catch (IOException e) {
        LOG.debug("Nothing is kept for clients by storageId={}", volume.storageId(), e);
      }
    }
    return all;
  }

  /** Of replaced bytes, in memory. */
  long receiptBytes() {
    return receipts().stream().mapToLong(EngineReceipts::bytes).sum();
  }

  /**
   * Forgets what is kept for clients of sessions that are over, as {@link EngineReceipts#forget}:
   * some of it may be left. Sessions are asked about that have been open before.
   *
   * @param over which of those numbers of sessions are of none that may be served again
   */
  void forgetReceipts(UnaryOperator<Set<Long>> over) {
    for (EngineReceipts each : receipts()) {
      each.forget(over.apply(each.sessions()));
    }
  }

  /** All that were admitted, but for those that are withheld. */
  Set<Long> admitted() {
    Set<Long> all = new TreeSet<>();
    volumes.forEach(volume -> all.addAll(volume.admitted()));
    return all;
  }

  /** As {@link GivenUpReplicas#quiet}. */
  Set<Long> givenUp() {
    return givenUp.quiet();
  }

  /** How the storages are; see {@link ControlProtocol#status}. */
  List<StorageStatus> status(ControlProtocol.Listed listed, Set<Long> blockIds) {
    List<StorageStatus> all = new ArrayList<>();
    for (UpdateVolume volume : volumes) {
      all.add(
          volume.status(
              blockId ->
                  switch (listed) {
                    case NONE -> false;
                    case THOSE_NAMED -> blockIds.contains(blockId);
                    case ALL -> true;
                  }));
    }
    all.sort(Comparator.comparing(StorageStatus::storageId));
    return all;
  }

  /**
   * The storage that has a replica.
   *
   * @throws IOException if none has
   */
  String storageId(long blockId) throws IOException {
    return volume(blockId).storageId();
  }

  private ReplicaKey key(long blockId) {
    return new ReplicaKey(blockPool, blockId);
  }

  private UpdateVolume volume(long blockId) throws IOException {
    for (UpdateVolume volume : volumes) {
      if (volume.reads().takes(blockId) && volume.holds(blockId)) {
        return volume;
      }
    }
    throw new IOException(
        ErrorMessage.to("update a replica")
            .value("block", blockId)
            .expected("an internal block of an erasure-coded file on this DataNode")
            .message());
  }
}
