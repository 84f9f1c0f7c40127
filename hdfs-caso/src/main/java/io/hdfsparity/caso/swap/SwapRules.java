/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.swap;

import io.hdfsparity.bridge.swap.FileAttributes;
import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.StoredBlock;
import io.hdfsparity.bridge.swap.StoredFile;
import io.hdfsparity.bridge.swap.SwapRule;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * When a copy with the same bytes in another order takes the place of its source.
 *
 * <p><b>Invariants</b> of a swap that is allowed; all hold under the lock of the NameNode in which
 * it is done, but that of live units, which held a moment before:
 *
 * <ul>
 *   <li>the source has the identity that it had before its first byte was read, and nobody is
 *       writing it: the bytes that were copied are all that were ever acknowledged;
 *   <li>the copy has the identity that it had before it was read back and compared, the same length
 *       and the same erasure coding policy, and is whole: every block is final and has all units;
 *   <li>a pointer to an index ({@link LayoutPointer}) that the copy has is the copy's own;
 *   <li>both have the same owner, group, mode, ACL, storage policy, modification time, and extended
 *       attributes of every namespace but that pointer;
 *   <li>no snapshot and no encryption zone has to do with either, and no other feature holds them.
 * </ul>
 *
 * <p>For one call; not thread-safe.
 */
public final class SwapRules implements SwapRule {
  /** The pointer, as the bridge names it. */
  private static final String POINTER =
      "USER." + LayoutPointer.XATTR.substring(LayoutPointer.XATTR.indexOf('.') + 1);

  private final FileIdentity source;
  private final FileIdentity copy;
  private SwapAnswer answer = refused("answer", "none", "an answer", "");

  /**
   * @param source as it was before it was read
   * @param copy as it was before it was read back
   */
  public SwapRules(FileIdentity source, FileIdentity copy) {
    this.source = source;
    this.copy = copy;
  }

  /** After {@link #allows}: what it said. */
  public SwapAnswer answer() {
    return answer;
  }

  @Override
  public boolean allows(StoredFile sourceNow, StoredFile copyNow) {
    answer = judge(sourceNow, copyNow);
    return answer.outcome() == SwapAnswer.Outcome.SWAPPED;
  }

  private SwapAnswer judge(StoredFile sourceNow, StoredFile copyNow) {
    String path = source.path();
    Optional<String> unfit = unfit(sourceNow);
    if (unfit.isPresent()) {
      return new SwapAnswer(SwapAnswer.Outcome.REFUSED, unfit.get());
    }
    FileIdentity now = FileIdentity.of(sourceNow);
    if (!now.sameBytes(source) || now.modifiedMs() != source.modifiedMs()) {
      return refused("file", now, "as it was before it was copied, " + source, path);
    }
    FileIdentity made = FileIdentity.of(copyNow);
    if (held(copyNow).isPresent() || !made.sameBytes(copy)) {
      return refused("copy", made, "as it was when it was verified, " + copy, path);
    }
    if (made.lengthBytes() != now.lengthBytes() || !made.form().equals(now.form())) {
      return refused("copy", made, "length and form of the file, " + now, path);
    }
    if (!ownsPointer(copyNow)) {
      return refused("pointer of the copy", "another's", "inode " + made.inodeId(), path);
    }
    for (StoredBlock block : copyNow.blocks()) {
      if (!block.complete() || block.live() < block.wanted()) {
        return new SwapAnswer(
            SwapAnswer.Outcome.WAIT,
            message("units", block.live(), block.wanted() + " of block " + block.id(), path));
      }
    }
    List<String> differing =
        withoutPointer(sourceNow.attributes()).differences(withoutPointer(copyNow.attributes()));
    if (!differing.isEmpty()) {
      return new SwapAnswer(
          SwapAnswer.Outcome.DRESS, message("differing", differing, "the same on both", path));
    }
    return SwapAnswer.SWAPPED;
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

  private static FileAttributes withoutPointer(FileAttributes of) {
    Map<String, String> xattrs = new HashMap<>(of.xattrs());
    xattrs.remove(POINTER);
    return new FileAttributes(
        of.owner(), of.group(), of.mode(), of.acl(), xattrs, of.storagePolicyId(), of.modifiedMs());
  }

  /** Why nothing can take the place of a file, whatever the copy. */
  static Optional<String> unfit(StoredFile file) {
    Optional<String> held = held(file);
    for (StoredBlock block : file.blocks()) {
      if (held.isEmpty() && !block.complete()) {
        return Optional.of(
            message("block", block.id() + " not final", "final blocks", file.path()));
      }
    }
    return held;
  }

  /** Somebody or something has a hold on it. */
  private static Optional<String> held(StoredFile file) {
    if (file.open()) {
      return Optional.of(message("open", true, "a closed file", file.path()));
    }
    if (file.shared()) {
      return Optional.of(message("inSnapshot", true, "no snapshot of it", file.path()));
    }
    if (file.encrypted()) {
      return Optional.of(
          message("encrypted", true, "a file outside encryption zones", file.path()));
    }
    return file.hold()
        .map(hold -> message(hold.name(), hold.value(), "none: " + hold.remedy(), file.path()));
  }

  private static SwapAnswer refused(String name, Object value, String rule, String path) {
    return new SwapAnswer(SwapAnswer.Outcome.REFUSED, message(name, value, rule, path));
  }

  private static String message(String name, Object value, String rule, String path) {
    return ErrorMessage.to("change the order of a file")
        .value(name, value)
        .expected(rule)
        .where("file", path)
        .message();
  }
}
