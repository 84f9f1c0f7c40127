/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.CoveredImage;
import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings rows and files of a frame together at start, before the DataNode serves: a crash, or a
 * hand that went past HDFS, may have left them apart. Needs no partner; what does is queued for the
 * {@link Settler}.
 *
 * <ul>
 *   <li>A row whose covered bytes no file of ours holds any more is out-of-band loss: the parity is
 *       recomputed without it, and the row becomes LIMBO (the partner may still cover it) or, with
 *       a shorter file, covers that one instead.
 *   <li>A RESERVED row without a file was a create that did not get far: LIMBO.
 *   <li>A LIMBO row with a finalized file: the delete did not happen, or was undone. Covered again
 *       in the background.
 *   <li>A finalized file without a row, or covered short of its length: covered in the background.
 * </ul>
 */
final class Reconciler {
  private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

  private final FrameEngine engine;
  private final Frame frame;
  private final Lstor lstor;

  Reconciler(FrameEngine engine) {
    this.engine = engine;
    this.frame = engine.frame();
    this.lstor = frame.disk().lstor();
  }

  /** Runs once; returns what was found wrong, for the log and the metrics. */
  List<String> run() throws IOException {
    List<String> findings = new ArrayList<>();
    Map<Long, ReplicaFiles> replicas = new HashMap<>();
    for (ReplicaFiles replica : frame.directory().scan(frame.blockPoolId())) {
      replicas.put(replica.blockId(), replica);
      if (replica.inFlux()) {
        // Waits for its lease recovery or for its deletion: HDFS will say.
        frame.open(replica.blockId());
      }
    }
    for (SlotEntry row : lstor.entries(frame.index())) {
      frame.lock(row.blockId());
      try {
        reconcile(row, replicas.get(row.blockId()), findings);
      } finally {
        frame.unlock(row.blockId());
      }
      frame.schedule(row.blockId());
    }
    replicas.keySet().forEach(frame::schedule);
    frame.limbo().blockIds().forEach(frame::schedule);
    for (String finding : findings) {
      LOG.warn("Reconciling frame: storageId={} {}", frame.storageId(), finding);
    }
    return findings;
  }

  private void reconcile(SlotEntry row, ReplicaFiles replica, List<String> findings)
      throws IOException {
    if (row.coversAnything() && !holdsCovered(row)) {
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
              + "; parity recomputed without them");
      engine.coverage().uncover(row);
    }
    if (replica == null && row.state() != SlotState.LIMBO) {
      lstor.apply(frame.index(), row.blockId(), SlotCause.LOST);
    }
  }

  /**
   * Whether files of ours hold at least the length that the row covers; contents are for the scrub
   * to read.
   */
  private boolean holdsCovered(SlotEntry row) throws IOException {
    try (CoveredImage image = frame.image(row)) {
      if (image.heldBytes() < row.coveredBytes() || !image.checksum().equals(row.checksum())) {
        return false;
      }
      if (row.coveredBytes() > 0) {
        image.readData(row.coveredBytes() - 1, ByteBuffer.allocate(1));
      }
      return true;
    } catch (IOException e) {
      LOG.info("No image for row: {} cause={}", row, e.toString());
      return false;
    }
  }
}
