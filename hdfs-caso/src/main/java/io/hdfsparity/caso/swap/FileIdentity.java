/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.swap;

import io.hdfsparity.bridge.swap.StoredBlock;
import io.hdfsparity.bridge.swap.StoredFile;

/**
 * Which bytes a closed file has, as far as the NameNode knows. Whatever changes the bytes of a file
 * in HDFS gives it another block, another generation of a block, another length, or another inode;
 * none of these numbers is ever used again. Immutable.
 *
 * @param path resolved
 * @param inodeId of the file
 * @param lengthBytes of its content
 * @param modifiedMs time of modification, which its user may set
 * @param form name of its erasure coding policy, or {@code replication N}
 * @param blocksDigest SHA-256, in hex, of id, generation and length of each block
 */
public record FileIdentity(
    String path,
    long inodeId,
    long lengthBytes,
    long modifiedMs,
    String form,
    String blocksDigest) {
  /** Of a file as the NameNode holds it. */
  public static FileIdentity of(StoredFile file) {
    BlocksDigest digest = new BlocksDigest();
    for (StoredBlock block : file.blocks()) {
      digest.add(block.id(), block.generation(), block.lengthBytes());
    }
    return new FileIdentity(
        file.path(),
        file.inodeId(),
        file.lengthBytes(),
        file.attributes().modifiedMs(),
        file.form(),
        digest.hex());
  }

  /** The same file with the same bytes in the same form, whatever times it has. */
  public boolean sameBytes(FileIdentity other) {
    return inodeId == other.inodeId
        && lengthBytes == other.lengthBytes
        && form.equals(other.form)
        && blocksDigest.equals(other.blocksDigest);
  }
}
