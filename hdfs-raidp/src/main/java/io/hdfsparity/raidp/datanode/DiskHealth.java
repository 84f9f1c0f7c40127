/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.store.SystemErrors;
import io.hdfsparity.raidp.format.DiskFile;
import io.hdfsparity.raidp.format.FrameTable;
import io.hdfsparity.raidp.format.IdentityFileException;
import io.hdfsparity.raidp.lstor.FrameRow;
import io.hdfsparity.raidp.lstor.LstorException;
import io.hdfsparity.raidp.lstor.ParityKind;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides whether a disk works: the one place that does. A disk is broken when its root, or a
 * volume on it, cannot be read or is not what it was; an Lstor, when it takes no changes any more,
 * or has parity that cannot be read.
 */
final class DiskHealth {
  private DiskHealth() {}

  /**
   * Why the disk is broken; nothing when it works. One look is enough: the kernel has repeated what
   * it reports as an error of the device, and {@link FrameTable} is replaced in one step.
   *
   * @throws IOException if the disk could not be looked at for a reason that may not be its own,
   *     such as no file descriptor; {@link DiskWatch} decides then
   */
  static Optional<String> check(DiskEngine disk) throws IOException {
    try {
      DiskFile found = DiskFile.read(disk.root());
      if (!found.equals(disk.identity())) {
        return Optional.of(
            "diskFile=" + found + ", expected " + disk.identity() + ", file=" + disk.root());
      }
      for (Volume volume : disk.volumes()) {
        FrameTable table = FrameTable.read(volume.directory().root());
        if (!table.storageId().equals(volume.storageId())
            || !table.diskId().equals(disk.diskId())) {
          return Optional.of(
              "frameTable="
                  + table
                  + ", expected storageId="
                  + volume.storageId()
                  + " diskId="
                  + disk.diskId()
                  + ", file="
                  + volume.directory().root());
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      if (isOfDisk(e) || isReplaced(disk)) {
        return Optional.of(e.toString());
      }
      throw e;
    }
  }

  private static boolean isOfDisk(IOException failure) {
    return failure instanceof NoSuchFileException
        || failure instanceof IdentityFileException
        || failure instanceof EOFException
        || SystemErrors.isDiskError(failure);
  }

  /** Whether a plain file, say, is where a directory was. */
  private static boolean isReplaced(DiskEngine disk) {
    return Stream.concat(
            Stream.of(disk.root()),
            disk.volumes().stream().map(volume -> volume.directory().root()))
        .anyMatch(path -> Files.exists(path) && !Files.isDirectory(path));
  }

  /** Frames that the Lstor knows and that HDFS did not bring: the disk is not whole. */
  static Optional<String> missingFrames(DiskEngine disk) {
    for (FrameRow row : disk.lstor().frames()) {
      if (disk.frames().stream().noneMatch(frame -> frame.index() == row.frameIndex())) {
        return Optional.of(
            "frame "
                + row.storageId()
                + " with index "
                + row.frameIndex()
                + " is missing, expected every"
                + " frame of the Lstor's table among the volumes, disk="
                + disk.root());
      }
    }
    return Optional.empty();
  }

  /**
   * Why the Lstor is broken; nothing when it works. A damaged cell does not make it so: a scrub
   * repairs that. One that somebody could not read does: each block there would fail on this side,
   * and so would each copy of it.
   */
  static Optional<String> checkLstor(DiskEngine disk) {
    try {
      disk.lstor().readParity(ParityKind.DATA, 0, ByteBuffer.allocate(1));
      return disk.lstor().unreadableParity().map(LstorException::toString);
    } catch (LstorException.CorruptParity e) {
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e.toString());
    }
  }
}
