/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.CoveredImage;
import io.hdfsparity.raidp.image.ImageException;
import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What files of a frame hold of the bytes that a row covers. Of the contents only the last chunk is
 * read; the rest is for the scrub. Stateless; the caller holds the block's lock, or takes the
 * answer for a hint.
 */
final class CoveredFiles {
  private static final Logger LOG = LoggerFactory.getLogger(CoveredFiles.class);

  /** What a look at the files has found. */
  enum State {
    /** They are long enough, and end with a chunk that fits its checksum. */
    HELD,

    /**
     * They should hold the bytes, and cannot be read, or not verified: a bad sector, a wrong bit,
     * lost checksums, or no more file handles. The parity holds the good bytes.
     */
    DAMAGED,

    /** No file holds them, or a sound file has another form of checksums. */
    LOST
  }

  private CoveredFiles() {}

  /** Looks at the files of a row that covers something. */
  static State look(Frame frame, SlotEntry row) {
    try (CoveredImage image = frame.image(row)) {
      if (image.heldBytes() < row.coveredBytes()) {
        return lacksOnlyChecksums(frame, row) ? State.DAMAGED : State.LOST;
      }
      if (row.coveredBytes() > 0) {
        image.readData(row.coveredBytes() - 1, ByteBuffer.allocate(1));
      }
      // Under a damaged header the chunk would not have passed.
      return image.checksum().equals(row.checksum()) ? State.HELD : State.LOST;
    } catch (ImageException.NotHeld e) {
      LOG.info("No image for row: {} cause={}", row, e.toString());
      return State.LOST;
    } catch (IOException e) {
      LOG.warn("Covered bytes cannot be read: {} cause={}", row, e.toString());
      return State.DAMAGED;
    }
  }

  private static boolean lacksOnlyChecksums(Frame frame, SlotEntry row) throws IOException {
    Optional<ReplicaFiles> replica =
        frame.directory().findFinalized(frame.blockPoolId(), row.blockId());
    return replica.isPresent()
        && replica.get().generationStamp() == row.generationStamp()
        && Files.size(replica.get().data()) >= row.coveredBytes();
  }
}
