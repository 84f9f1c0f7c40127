/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.format;

import io.hdfsparity.core.store.AtomicFiles;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Who a disk is: file {@value #NAME} in its root, written once. Payload, version 1: text clusterId,
 * text diskId.
 *
 * @param clusterId HDFS cluster id
 * @param diskId made at random when the disk was first used
 */
public record DiskFile(String clusterId, String diskId) {
  /** Name in the disk's root. */
  public static final String NAME = "raidp-disk";

  static final String MAGIC = "RAIDPDSK";
  static final int VERSION = 1;

  /** Bytes of the file. */
  public byte[] encode() {
    return IdentityCodec.encode(
        MAGIC,
        VERSION,
        out -> {
          IdentityCodec.writeText(out, clusterId);
          IdentityCodec.writeText(out, diskId);
        });
  }

  /**
   * Reads the file of a disk.
   *
   * @throws IdentityFileException by name, when it is not as it should be
   */
  public static DiskFile read(Path root) throws IOException {
    DataInputStream in = IdentityCodec.decode(root.resolve(NAME), MAGIC, VERSION, VERSION);
    return new DiskFile(IdentityCodec.readText(in), IdentityCodec.readText(in));
  }

  /** Stores it durably. */
  public void write(Path root) throws IOException {
    AtomicFiles.replace(root.resolve(NAME), encode());
  }
}
