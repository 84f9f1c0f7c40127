/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.swap;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.swap.FileAttributes;
import io.hdfsparity.bridge.swap.StoredFile;
import io.hdfsparity.bridge.swap.SwapCondition;
import io.hdfsparity.bridge.swap.SwapRefusal;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.core.framing.CorruptFormatException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A copy of the same form, with the cells in another order: a pointer to an index ({@link
 * LayoutPointer}) that the copy has is the copy's own, and pointers are not compared. Stateless.
 */
public final class OrderCondition implements SwapCondition {
  private static final String POINTER = FileAttributes.keyOf(LayoutPointer.XATTR);

  @Override
  public Optional<Refusal> refuses(StoredFile source, StoredFile copy) {
    if (!copy.form().equals(source.form())) {
      return Optional.of(
          SwapRefusal.MISMATCH.because("form", copy.form(), source.form(), source.path()));
    }
    return ownsPointer(copy)
        ? Optional.empty()
        : Optional.of(
            SwapRefusal.COPY_LOST.because(
                "pointer of the copy", "another's", "inode " + copy.inodeId(), source.path()));
  }

  private static boolean ownsPointer(StoredFile copy) {
    String value = copy.attributes().xattrs().get(POINTER);
    if (value == null) {
      return true;
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(value);
      return LayoutPointer.decode(bytes, copy.path()).fileId() == copy.inodeId();
    } catch (CorruptFormatException e) {
      return false;
    }
  }

  @Override
  public FileAttributes compared(FileAttributes of) {
    Map<String, String> xattrs = new HashMap<>(of.xattrs());
    xattrs.remove(POINTER);
    return new FileAttributes(
        of.owner(), of.group(), of.mode(), of.acl(), xattrs, of.storagePolicyId(), of.modifiedMs());
  }
}
