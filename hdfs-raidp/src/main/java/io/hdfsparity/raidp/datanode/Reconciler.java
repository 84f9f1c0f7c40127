/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the files of a volume and the rows of its frames together at start, before the DataNode
 * serves: a crash, or a hand that went past HDFS, may have left them apart. Reads the directories
 * once for all frames. Needs no partner; what does is queued for the {@link Settler}.
 *
 * <ul>
 *   <li>A row whose covered bytes no file of ours holds any more is out-of-band loss: the parity is
 *       recomputed without it, and the row becomes LIMBO (the partner may still cover it) or, with
 *       a shorter file, covers that one instead. Where another block at its units cannot be read,
 *       that is left to the {@link Settler} ({@link LostRows}).
 *   <li>So is a finalized file, or one in limbo, with a higher stamp than its row: the node ran
 *       without the hooks, or an old Lstor was put back. After a run without the hooks ({@link
 *       HooksMarker}) also one that is being written; after any other run that is an append that
 *       the crash has interrupted. What the partner covers of stamps before such a run is refused.
 *   <li>A row whose covered bytes are damaged, or cannot be read now, stays: its parity has the
 *       good bytes, of which the replica can be healed. HDFS is asked to look at the replica.
 *   <li>A RESERVED row without a file was a create that did not get far: LIMBO.
 *   <li>A LIMBO row with a finalized file: the delete did not happen, or was undone. Covered again
 *       in the background.
 *   <li>A finalized file covered short of its length: covered in the background. Of one without a
 *       row, the partners of all frames are asked for its row ({@link BlockClaims}).
 * </ul>
 */
final class Reconciler {
  private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

  private final VolumeFrames volumeFrames;
  private final Volume volume;
  private final Lstor lstor;

  Reconciler(VolumeFrames volumeFrames) {
    this.volumeFrames = volumeFrames;
    this.volume = volumeFrames.volume();
    this.lstor = volume.disk().lstor();
  }

  /** Runs once; returns what was found wrong, for the log and the metrics. */
  List<String> run() throws IOException {
    List<String> findings = new ArrayList<>();
    Map<Long, ReplicaFiles> replicas = new HashMap<>();
    for (ReplicaFiles replica : volume.directory().scan(volume.disk().context().pool().id())) {
      replicas.put(replica.blockId(), replica);
      if (replica.inFlux()) {
        // Waits for its lease recovery or for its deletion: HDFS will say.
        volume
            .frameOf(replica.blockId())
            .ifPresentOrElse(
                frame -> frame.open(replica.blockId()),
                () -> volume.plain().open(replica.blockId()));
      }
    }
    for (FrameEngine engine : volumeFrames.engines()) {
      reconcile(engine, replicas, findings);
    }
    volume.searchFrames(
        replicas.keySet().stream().filter(id -> volume.frameOf(id).isEmpty()).toList());
    replicas.keySet().forEach(this::schedule);
    volume.limbo().blockIds().forEach(this::schedule);
    volume.limboOrphans().schedule();
    for (String finding : findings) {
      LOG.warn("Reconciling frame: storageId={} {}", volume.storageId(), finding);
    }
    HooksMarker.write(volume.directory(), volume.disk().context().pool().id());
    return findings;
  }

  private void schedule(long blockId) {
    volume.frameOf(blockId).ifPresent(frame -> frame.schedule(blockId));
  }

  private void reconcile(
      FrameEngine engine, Map<Long, ReplicaFiles> replicas, List<String> findings)
      throws IOException {
    Frame frame = engine.frame();
    for (SlotEntry row : lstor.entries(frame.index())) {
      frame.lock(row.blockId());
      try {
        reconcile(engine, row, replicas.get(row.blockId()), findings);
      } finally {
        frame.unlock(row.blockId());
      }
      frame.schedule(row.blockId());
    }
  }

  private void reconcile(
      FrameEngine engine, SlotEntry row, ReplicaFiles replica, List<String> findings)
      throws IOException {
    Frame frame = engine.frame();
    long stamp = newestStamp(frame, row, replica);
    boolean isChanged = row.generationStamp() != 0 && stamp > row.generationStamp();
    if (replica != null && isChanged && !frame.volume().wasHooked(frame.blockPoolId())) {
      // Nothing in limbo says what it held under the stamps before.
      frame.limbo().saveLength(replica, 0);
    }
    if (row.coversAnything() && stamp > row.generationStamp()) {
      findings.add(
          "block "
              + row.blockId()
              + ": expected stamp "
              + row.generationStamp()
              + " as its row, found "
              + stamp
              + ", so it was changed without the hooks; its parity is recomputed without it");
      forget(engine, row, findings);
    } else if (row.coversAnything()) {
      reconcileCovered(engine, row, replica, findings);
    }
    if (replica == null) {
      engine.coverage().find(row.blockId()).ifPresent(engine.coverage()::noteUnknownPast);
    }
    if (replica == null && row.state() != SlotState.LIMBO) {
      lstor.apply(frame.index(), row.blockId(), SlotCause.LOST);
    }
  }

  private void reconcileCovered(
      FrameEngine engine, SlotEntry row, @Nullable ReplicaFiles replica, List<String> findings)
      throws IOException {
    switch (CoveredFiles.look(engine.frame(), row)) {
      case HELD -> {}
      case DAMAGED -> {
        findings.add(
            "block "
                + row.blockId()
                + ": expected to read the last of "
                + row.coveredBytes()
                + " covered bytes of stamp "
                + row.generationStamp()
                + ", but it is damaged or unreadable; its parity is good and stays");
        engine.startFindings().addDamaged(row);
      }
      case LOST -> {
        findings.add(
            "block "
                + row.blockId()
                + ": expected "
                + row.coveredBytes()
                + " covered bytes of stamp "
                + row.generationStamp()
                + " in a live file or limbo, found "
                + (replica == null
                    ? "none"
                    : Files.size(replica.data()) + " bytes of stamp " + replica.generationStamp())
                + "; parity is recomputed without them");
        forget(engine, row, findings);
      }
    }
  }

  /**
   * Recomputes the parity of a row's units without it. Another block there may be unreadable here,
   * and partners are not known yet: then the row stays as it is, and the parity is as good as
   * before.
   */
  private void forget(FrameEngine engine, SlotEntry row, List<String> findings) throws IOException {
    try {
      engine.coverage().forget(row, this::isLost);
    } catch (UnreadableRowException e) {
      findings.add("block " + row.blockId() + ": recomputed later, when it is settled: " + e);
      engine.startFindings().addLost(row);
    }
  }

  /**
   * Whether a row's covered bytes are in no file of this disk. It is taken out of the parity at
   * this start too, so it must not keep another one in: several may have been deleted.
   */
  private boolean isLost(SlotEntry row) {
    try {
      Frame frame = volume.disk().frame(row.frameIndex());
      ReplicaFiles replica =
          frame.directory().find(frame.blockPoolId(), row.blockId()).orElse(null);
      return newestStamp(frame, row, replica) > row.generationStamp()
          || CoveredFiles.look(frame, row) == CoveredFiles.State.LOST;
    } catch (IOException e) {
      return false; // Then its image cannot be read either.
    }
  }

  /**
   * The youngest stamp under which files of ours hold the block, 0 without one. The hooks give the
   * row a new stamp before a finalized file has it, and an append only adds to what the row covers.
   * So an older row says that the block was written to while they were not there, or that the Lstor
   * is older than the disk. The bytes that the row covers may be others, as after a truncate and an
   * append; they cannot be taken out of the parity by what the files hold. The same is true of a
   * row in limbo whose replica stays, and of a replica that was deleted since.
   */
  private static long newestStamp(Frame frame, SlotEntry row, @Nullable ReplicaFiles replica)
      throws IOException {
    boolean isAppend =
        replica != null && replica.inFlux() && frame.volume().wasHooked(frame.blockPoolId());
    long live = replica == null || isAppend ? 0 : replica.generationStamp();
    return Math.max(live, frame.limbo().newestStamp(row.blockId()));
  }
}
