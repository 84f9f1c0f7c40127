/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.format;

import io.hdfsparity.core.store.AtomicFiles;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Who a frame is and with whom it is paired: file {@value #NAME} in the frame's directory, replaced
 * as a whole at each re-pairing. It is the truth of the superchunk map, of which the manager only
 * keeps reports.
 *
 * <pre>
 *   payload, version 2
 *   text   clusterId
 *   text   diskId
 *   int32  frameIndex
 *   text   storageId
 *   uint8  1 when paired, else 0 and nothing follows
 *   int64  superchunkId
 *   int64  epoch
 *   text   partnerStorageId
 *   text   partnerNodeUuid
 *   uint8  coefficient that new blocks of the frame take in the parity: 1 or 2
 * </pre>
 *
 * @param clusterId HDFS cluster id
 * @param diskId of the disk that it lies on
 * @param frameIndex on the disk, from 0
 * @param storageId HDFS storage id of the directory
 * @param pairing its superchunk; empty for a spare frame
 */
public record FrameFile(
    String clusterId, String diskId, int frameIndex, String storageId, Optional<Pairing> pairing) {
  /** Name in the frame's directory. */
  public static final String NAME = "raidp-frame";

  static final String MAGIC = "RAIDPFRM";
  static final int VERSION = 2;

  /** The same frame in another superchunk. */
  public FrameFile paired(Pairing next) {
    return new FrameFile(clusterId, diskId, frameIndex, storageId, Optional.of(next));
  }

  /** Bytes of the file. */
  public byte[] encode() {
    return IdentityCodec.encode(
        MAGIC,
        VERSION,
        out -> {
          IdentityCodec.writeText(out, clusterId);
          IdentityCodec.writeText(out, diskId);
          out.writeInt(frameIndex);
          IdentityCodec.writeText(out, storageId);
          out.writeByte(pairing.isPresent() ? 1 : 0);
          if (pairing.isPresent()) {
            Pairing p = pairing.get();
            out.writeLong(p.superchunkId());
            out.writeLong(p.epoch());
            IdentityCodec.writeText(out, p.partnerStorageId());
            IdentityCodec.writeText(out, p.partnerNodeUuid());
            out.writeByte(p.coefficient());
          }
        });
  }

  /**
   * Reads the file of a frame.
   *
   * @throws IdentityFileException by name, when it is not as it should be
   */
  public static FrameFile read(Path frameDirectory) throws IOException {
    DataInputStream in =
        IdentityCodec.decode(frameDirectory.resolve(NAME), MAGIC, VERSION, VERSION);
    String clusterId = IdentityCodec.readText(in);
    String diskId = IdentityCodec.readText(in);
    int frameIndex = in.readInt();
    String storageId = IdentityCodec.readText(in);
    Optional<Pairing> pairing =
        in.readByte() == 0 ? Optional.empty() : Optional.of(readPairing(in, frameDirectory));
    return new FrameFile(clusterId, diskId, frameIndex, storageId, pairing);
  }

  private static Pairing readPairing(DataInputStream in, Path frameDirectory) throws IOException {
    try {
      return new Pairing(
          in.readLong(),
          in.readLong(),
          IdentityCodec.readText(in),
          IdentityCodec.readText(in),
          in.readByte());
    } catch (IllegalArgumentException e) {
      throw new IdentityFileException.Corrupt(
          "Cannot read frame file: " + e.getMessage() + ", file=" + frameDirectory.resolve(NAME));
    }
  }

  /** Stores it durably. */
  public void write(Path frameDirectory) throws IOException {
    AtomicFiles.replace(frameDirectory.resolve(NAME), encode());
  }

  /**
   * Refuses a file that belongs elsewhere: another cluster, a frame of another disk, a swapped
   * directory.
   */
  public void requireOwner(Path frameDirectory, DiskFile disk, String expectedStorageId)
      throws IOException {
    requireSame(frameDirectory, "clusterId", clusterId, disk.clusterId());
    requireSame(frameDirectory, "diskId", diskId, disk.diskId());
    requireSame(frameDirectory, "storageId", storageId, expectedStorageId);
  }

  private static void requireSame(Path directory, String name, String found, String expected)
      throws IOException {
    if (!found.equals(expected)) {
      throw new IdentityFileException.Foreign(
          "Cannot use frame: "
              + name
              + "="
              + found
              + ", expected "
              + expected
              + ", file="
              + directory.resolve(NAME));
    }
  }
}
