/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.apply;

import io.hdfsparity.bridge.level.LevelRefusal;
import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.StoredBlock;
import io.hdfsparity.bridge.swap.StoredFile;
import io.hdfsparity.bridge.swap.SwapRule;
import java.util.List;
import java.util.Optional;

/**
 * When a copy takes the place of its source.
 *
 * <p><b>Invariants</b> of a swap that is allowed. All hold under the one hold of the NameNode's
 * lock in which it is done, but that of live nodes: it holds when the swap is judged, a moment
 * before.
 *
 * <ul>
 *   <li>the source has the identity that it had before its first byte was read, so the bytes that
 *       were read are all bytes that were ever acknowledged to its writers, and nobody is writing;
 *   <li>the copy has the identity that it had before it was read back and compared;
 *   <li>the copy is whole: every block is final and has all replicas or units on live nodes;
 *   <li>both have the same owner, group, mode, ACL, extended attributes of every namespace, storage
 *       policy and modification time;
 *   <li>no snapshot and no encryption zone has to do with either, and no other feature holds them.
 * </ul>
 *
 * <p>For one call; not thread-safe.
 */
public final class SwapRules implements SwapRule {
  private final FileIdentity source;
  private final FileIdentity copy;
  private SwapAnswer answer;

  /**
   * @param source as it was before it was read
   * @param copy as it was before it was read back
   */
  public SwapRules(FileIdentity source, FileIdentity copy) {
    this.source = source;
    this.copy = copy;
    this.answer =
        SwapAnswer.refused(
            MoveRefusal.UNKNOWN.because("answer", "none", "an answer", source.path()));
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
    Optional<LevelRefusal> unfit = unfit(sourceNow);
    if (unfit.isPresent()) {
      return SwapAnswer.refused(unfit.get());
    }
    FileIdentity now = FileIdentity.of(sourceNow);
    if (!now.sameBytes(source) || now.modifiedMs() != source.modifiedMs()) {
      return SwapAnswer.refused(
          MoveRefusal.CHANGED.because(
              "differing", source.differences(now), "the file that was copied", source.path()));
    }
    FileIdentity made = FileIdentity.of(copyNow);
    if (held(copyNow).isPresent() || !made.sameBytes(copy)) {
      return SwapAnswer.refused(
          MoveRefusal.COPY_LOST.because(
              "differing", copy.differences(made), "the copy that was verified", source.path()));
    }
    if (made.lengthBytes() != now.lengthBytes()) {
      return SwapAnswer.refused(
          MoveRefusal.MISMATCH.because(
              "copyBytes", made.lengthBytes(), "" + now.lengthBytes(), source.path()));
    }
    for (StoredBlock block : copyNow.blocks()) {
      if (!block.complete() || block.live() < block.wanted()) {
        return new SwapAnswer(
            SwapAnswer.Outcome.WAIT,
            Optional.of(
                MoveRefusal.THIN.because(
                    "live",
                    block.live(),
                    block.wanted() + " of block " + block.id(),
                    source.path())));
      }
    }
    List<String> differences = sourceNow.attributes().differences(copyNow.attributes());
    if (!differences.isEmpty()) {
      return new SwapAnswer(
          SwapAnswer.Outcome.DRESS,
          Optional.of(
              MoveRefusal.ATTRIBUTES.because(
                  "differing", differences, "the same on file and copy", source.path())));
    }
    return SwapAnswer.SWAPPED;
  }

  /** Why nothing can take the place of a file, whatever the copy. */
  static Optional<LevelRefusal> unfit(StoredFile file) {
    Optional<LevelRefusal> held = held(file);
    for (StoredBlock block : file.blocks()) {
      if (held.isEmpty() && !block.complete()) {
        return Optional.of(
            MoveRefusal.OPEN.because(
                "block", block.id() + " not final", "final blocks", file.path()));
      }
    }
    return held;
  }

  /** Somebody or something has a hold on it. */
  private static Optional<LevelRefusal> held(StoredFile file) {
    if (file.open()) {
      return Optional.of(MoveRefusal.OPEN.because("open", true, "a closed file", file.path()));
    }
    if (file.shared()) {
      return Optional.of(
          MoveRefusal.SNAPSHOT.because("inSnapshot", true, "no snapshot of it", file.path()));
    }
    if (file.encrypted()) {
      return Optional.of(
          MoveRefusal.ENCRYPTED.because(
              "encrypted", true, "a file outside encryption zones", file.path()));
    }
    return file.hold()
        .map(
            hold ->
                new LevelRefusal(
                    hold.kind(),
                    "Cannot change the form: " + hold.reason(file.path()),
                    hold.remedy()));
  }
}
