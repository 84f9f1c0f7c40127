/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.storage.log.ChangeBounds;
import io.hdfsparity.ecupdate.storage.log.Recovered;
import io.hdfsparity.ecupdate.storage.log.UpdateLog;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens replicas: from their own files, and from what the log had when the engine was opened.
 * Thread-safe.
 */
final class ReplicaLoader {
  private final UpdateLog log;
  private final ReplicaStores stores;
  private final EngineOptions options;
  private final Runnable onWait;

  /**
   * A loader.
   *
   * @param onWait is called when a replica has to wait for room in the log: somebody should make it
   */
  ReplicaLoader(UpdateLog log, ReplicaStores stores, EngineOptions options, Runnable onWait) {
    this.log = log;
    this.stores = stores;
    this.options = options;
    this.onWait = onWait;
  }

  /**
   * Opens a replica.
   *
   * @param recovered what the log had of it; null if nothing
   * @return empty if the storage does not have it
   */
  Optional<Replica> load(ReplicaKey key, Recovered.@Nullable Replica recovered)
      throws IOException, InterruptedException {
    Optional<ReplicaStore> found = stores.open(key);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    ReplicaStore store = found.get();
    check(key, store.layout());
    byte[] kept = store.readState();
    ReplicaState state =
        kept.length == 0 ? ReplicaState.untouched(log.salt()) : ReplicaState.decode(kept, key);
    if (state.salt() != log.salt()) {
      throw new CorruptFormatException(
          ErrorMessage.to("serve replica " + key)
              .value("salt of its state", state.salt())
              .expected(
                  "that of the log, "
                      + log.salt()
                      + ": changes in another log are missing; give the replica up and let it be"
                      + " reconstructed")
              .message());
    }
    requireInLog(key, state.lastSequence());
    Recovered.Fold fold = recovered == null ? null : recovered.fold();
    ReservedDeltas reserved = new ReservedDeltas(key, log.salt());
    if (state.reservedBytes() != ReplicaState.NEVER_RESERVED) {
      // An area that the state does not know was never used.
      reserved.open(areaOf(key, store), fold == null ? 0 : fold.upTo());
    }
    requireInLog(key, reserved.last());
    if (fold != null) {
      writeAgain(key, store, reserved, fold);
    }
    log.adoptMoved(key, reserved.lengths(), onWait);
    VersionedBytes bytes = new VersionedBytes(store, reserved, options.overlayBytes());
    Replica replica = new Replica(key, store, reserved, bytes, state, options.reserved());
    if (recovered != null) {
      playBack(replica, state, recovered);
    }
    return Optional.of(replica);
  }

  /**
   * The log was cut off before what a file of the replica has, which an earlier version may have
   * written before that group was sealed: its sequences are those of other changes now. Found only
   * until the log has got that far again.
   */
  private void requireInLog(ReplicaKey key, long sequence) throws IOException {
    if (sequence > log.durableSequence()) {
      throw new CorruptFormatException(
          ErrorMessage.to("serve replica " + key)
              .value("sequence of its changes", sequence)
              .expected(
                  "<= that of the log, "
                      + log.durableSequence()
                      + ": changes are missing that were durable; give the replica up and let it be"
                      + " reconstructed")
              .message());
    }
  }

  private static ReservedArea areaOf(ReplicaKey key, ReplicaStore store) throws IOException {
    return store
        .reserved()
        .orElseThrow(
            () ->
                new CorruptFormatException(
                    ErrorMessage.to("serve replica " + key)
                        .value("reserved space", "none")
                        .expected(
                            "the area that its state names: give the replica up and let it be"
                                + " reconstructed")
                        .message()));
  }

  private void check(ReplicaKey key, ReplicaLayout layout) {
    Checks.argument(
        layout.chunkBytes() == options.log().chunkBytes(),
        "serve replica " + key,
        "chunkBytes",
        layout.chunkBytes(),
        "= chunkBytes of the log, " + options.log().chunkBytes());
    long swapBytes = ChangeBounds.FIXED_BYTES + 2L * layout.cellBytes() + 64;
    Checks.argument(
        swapBytes <= options.log().maxRecordBytes(),
        "serve replica " + key,
        "maxRecordBytes",
        options.log().maxRecordBytes(),
        ">= " + swapBytes + " for cells of " + layout.cellBytes());
  }

  /** Whether it is in the file already or not. */
  private void writeAgain(
      ReplicaKey key, ReplicaStore store, ReservedDeltas reserved, Recovered.Fold fold)
      throws IOException {
    for (Patch patch : fold.patches()) {
      store.write(patch.offset(), patch.bytes().toArray());
    }
    store.force();
    reserved.writeVoidAfterCrash(fold.upTo());
    log.applied(key, fold.upTo());
  }

  private static void playBack(Replica replica, ReplicaState state, Recovered.Replica recovered)
      throws IOException {
    ReplicaLayout layout = replica.layout();
    long moved = replica.reserved().last();
    for (Recovered.Pending pending : recovered.overlay(layout.cellBytes())) {
      if (pending.sequence() > moved) {
        replica
            .bytes()
            .append(
                pending::sequence,
                version -> CellContent.clip(pending.record().at(version), layout.lengthBytes()));
      }
    }
    for (Map.Entry<SlotKey, Recovered.Slot> slot : recovered.slots().entrySet()) {
      int stripe = slot.getKey().stripe();
      ReplicaState.Kept home = state.slot(stripe);
      replica.recovered(stripe, slot.getValue().durable(home.slot(), home.upTo()));
    }
  }
}
