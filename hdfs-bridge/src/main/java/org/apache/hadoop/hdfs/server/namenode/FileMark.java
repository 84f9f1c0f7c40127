/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.Block;

/**
 * What a file must not lose the memory of, as an extended attribute: so it is in the log, in the
 * image, and where the file is renamed to. The namespace is {@code system}, which no client sees,
 * sets, removes or copies: a copy of the file begins without marks, as its blocks have other ids. A
 * {@code concat} leaves the marks of its sources behind.
 *
 * <p>Callers hold the namesystem's and the directory's locks.
 */
enum FileMark {
  /**
   * The level was lowered. A DataNode that was away then may bring a dropped unit back at any time:
   * of a group that the file had. The value is the id of the newest one, 8 bytes, big-endian; ids
   * only grow, so groups that the file has got since are newer.
   */
  LOWERED("parity.lowered"),

  /**
   * An update in place began or ended. It changes neither block, generation nor length, and the
   * modification time can be set back by whoever may write the file, so this is its only trace that
   * stays. The value is when the last one did, 8 bytes, big-endian: milliseconds by the NameNode's
   * clock, and higher than the value before.
   */
  UPDATED("parity.updated"),

  /**
   * Which program has opened it last to write it in place: a number that no other one has, 8 bytes,
   * big-endian. By that a program whose session has ended knows whether somebody else may have
   * written since.
   */
  OPENED("parity.opened");

  /** Without a value. */
  private final XAttr attribute;

  FileMark(String name) {
    attribute = of(name, new byte[0]);
  }

  private static XAttr of(String name, byte[] value) {
    return new XAttr.Builder()
        .setNameSpace(XAttr.NameSpace.SYSTEM)
        .setName(name)
        .setValue(value)
        .build();
  }

  /**
   * What the mark says; empty: there is no mark. {@link Long#MAX_VALUE}: it is one of earlier
   * software, which says no number.
   */
  OptionalLong number(INodeFile file) {
    XAttrFeature all = file.getXAttrFeature();
    XAttr found = all == null ? null : all.getXAttr(XAttrHelper.getPrefixedName(attribute));
    if (found == null) {
      return OptionalLong.empty();
    }
    byte[] value = found.getValue();
    return OptionalLong.of(
        value != null && value.length == Long.BYTES
            ? ByteBuffer.wrap(value).getLong()
            : Long.MAX_VALUE);
  }

  /** This mark, which says a number. */
  XAttr of(long number) {
    return of(attribute.getName(), ByteBuffer.allocate(Long.BYTES).putLong(number).array());
  }

  /**
   * All extended attributes of a file whose level is lowered, with {@link #LOWERED} about all
   * groups that it has now.
   */
  static List<XAttr> withLowered(INodeFile file) {
    List<XAttr> all = new ArrayList<>(XAttrStorage.readINodeXAttrs(file));
    all.removeIf(LOWERED.attribute::equalsIgnoreValue);
    long newest =
        Arrays.stream(file.getBlocks()).mapToLong(Block::getBlockId).max().orElse(Long.MIN_VALUE);
    all.add(LOWERED.of(newest));
    return all;
  }

  /** When an update of a file in place began or ended last, see {@link #UPDATED}; 0: never. */
  static long updatedMs(INodeFile file) {
    return UPDATED.number(file).orElse(0);
  }

  /** Whether an attribute is a mark, which says nothing of another file in the same place. */
  static boolean isMark(XAttr attribute) {
    for (FileMark each : values()) {
      if (each.attribute.equalsIgnoreValue(attribute)) {
        return true;
      }
    }
    return false;
  }
}
