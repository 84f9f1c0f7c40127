/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which bytes a closed file has, as far as the NameNode knows: the same identity means the same
 * bytes. Whatever changes the bytes of a file in HDFS gives it another block, another generation of
 * a block, another length, or another inode; none of these numbers is ever used again. An update in
 * place (hdfs-ec-update) changes none of them, and marks the file instead. Immutable.
 *
 * @param path resolved
 * @param inodeId of the file
 * @param lengthBytes of its content
 * @param modifiedMs time of modification, which its user may set
 * @param form name of its erasure coding policy, or {@code replication N}
 * @param blocksDigest SHA-256, in hex, of id, generation and length of each block
 * @param updatedMs when an update in place began or ended last; 0: never. No user can set it, and
 *     it only grows
 */
public record FileIdentity(
    String path,
    long inodeId,
    long lengthBytes,
    long modifiedMs,
    String form,
    String blocksDigest,
    long updatedMs) {
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
        digest.hex(),
        file.updatedMs());
  }

  /** The digest that the suite compares bytes by. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(
          "Cannot compare files: digest=SHA-256, expected in the JDK", e);
    }
  }

  /** The same file with the same bytes in the same form, whatever times it has. */
  public boolean sameBytes(FileIdentity other) {
    return inodeId == other.inodeId
        && lengthBytes == other.lengthBytes
        && form.equals(other.form)
        && blocksDigest.equals(other.blocksDigest)
        && updatedMs == other.updatedMs;
  }

  /** In what this and another differ, each with both values, for messages. */
  public List<String> differences(FileIdentity other) {
    List<String> texts = new ArrayList<>();
    add(texts, "inode", inodeId, other.inodeId);
    add(texts, "lengthBytes", lengthBytes, other.lengthBytes);
    add(texts, "modifiedMs", modifiedMs, other.modifiedMs);
    add(texts, "form", form, other.form);
    if (!blocksDigest.equals(other.blocksDigest)) {
      texts.add("other blocks or generations");
    }
    add(texts, "updatedMs", updatedMs, other.updatedMs);
    return texts;
  }

  private static void add(List<String> texts, String name, Object was, Object is) {
    if (!was.equals(is)) {
      texts.add(name + " " + was + " became " + is);
    }
  }
}
