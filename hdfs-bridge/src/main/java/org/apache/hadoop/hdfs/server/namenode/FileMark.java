/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.XAttrHelper;

/**
 * What a file must not lose the memory of, as an extended attribute: so it is in the log, in the
 * image, and where the file is renamed to. The namespace is {@code system}, which no client sees,
 * sets, removes or copies: a copy of the file begins without marks, as its blocks have other ids. A
 * {@code concat} leaves the marks of its sources behind.
 *
 * <p>Callers hold the namesystem's and the directory's locks.
 */
enum FileMark {
  /** The level was lowered. */
  LOWERED("parity.lowered");

  private final XAttr attribute;

  FileMark(String name) {
    attribute =
        new XAttr.Builder()
            .setNameSpace(XAttr.NameSpace.SYSTEM)
            .setName(name)
            .setValue(new byte[] {1})
            .build();
  }

  boolean isOn(INodeFile file) {
    XAttrFeature all = file.getXAttrFeature();
    return all != null && all.getXAttr(XAttrHelper.getPrefixedName(attribute)) != null;
  }

  /** All extended attributes of a file, and this one. */
  List<XAttr> with(INodeFile file) {
    List<XAttr> all = new ArrayList<>(XAttrStorage.readINodeXAttrs(file));
    if (!isOn(file)) {
      all.add(attribute);
    }
    return all;
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
