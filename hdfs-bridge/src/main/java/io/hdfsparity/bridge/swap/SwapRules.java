/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import io.hdfsparity.bridge.level.ParityDoubts.Doubt;
import io.hdfsparity.bridge.refusal.Refusal;
import java.util.List;
import java.util.Optional;

/**
 * When a copy takes the place of its source.
 *
 * <p><b>Invariants</b> of a swap that is allowed. All hold under the one hold of the NameNode's
 * lock in which it is done, but those of live nodes and data units: they hold when the swap is
 * judged, a moment before.
 *
 * <ul>
 *   <li>the source has the identity that it had before its first byte was read, so the bytes that
 *       were read are all bytes that were ever acknowledged to its writers, and nobody is writing;
 *   <li>the copy has the identity that it had before it was read back and compared, and the same
 *       length;
 *   <li>the copy is whole: every block is final and has all replicas or units on working storages
 *       of nodes that send heartbeats;
 *   <li>all data units of the source can be read: what a reader decodes is what parity claims, and
 *       the swap deletes the units that could contradict it;
 *   <li>no comparison has found that parity and data of the source contradict each other: the swap
 *       deletes the one with the other, and which is right is not known;
 *   <li>both have the same owner, group, mode, ACL, extended attributes of every namespace, storage
 *       policy and modification time, but for those that the condition does not compare;
 *   <li>no snapshot and no encryption zone has to do with either, and no other feature holds them;
 *   <li>the condition of the feature does not refuse.
 * </ul>
 *
 * <p>For one call; not thread-safe.
 */
public final class SwapRules implements SwapRule {
  private final FileIdentity source;
  private final FileIdentity copy;
  private final SwapCondition condition;
  private SwapAnswer answer;

  /**
   * @param source as it was before it was read
   * @param copy as it was before it was read back
   * @param condition of the feature
   */
  public SwapRules(FileIdentity source, FileIdentity copy, SwapCondition condition) {
    this.source = source;
    this.copy = copy;
    this.condition = condition;
    this.answer =
        SwapAnswer.refused(
            SwapRefusal.UNKNOWN.because("answer", "none", "an answer", source.path()));
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
    Optional<Refusal> refusal =
        unfitForGood(sourceNow)
            .or(() -> condition.refuses(sourceNow))
            .or(() -> changed(sourceNow))
            .or(() -> lost(copyNow))
            .or(() -> mismatch(sourceNow, copyNow))
            .or(() -> condition.refuses(sourceNow, copyNow));
    if (refusal.isPresent()) {
      return SwapAnswer.refused(refusal.get());
    }
    Optional<Refusal> passing =
        heldByFeature(sourceNow)
            .or(() -> heldByFeature(copyNow))
            .or(() -> unknown(sourceNow))
            .or(() -> degraded(sourceNow));
    if (passing.isPresent()) {
      return SwapAnswer.wait(passing.get());
    }
    for (StoredBlock block : copyNow.blocks()) {
      if (!block.complete() || block.live() < block.wanted()) {
        return SwapAnswer.wait(
            SwapRefusal.THIN.because(
                "live", block.live(), block.wanted() + " of block " + block.id(), source.path()));
      }
    }
    List<String> differences =
        condition
            .compared(sourceNow.attributes())
            .differences(condition.compared(copyNow.attributes()));
    if (!differences.isEmpty()) {
      return new SwapAnswer(
          SwapAnswer.Outcome.DRESS,
          Optional.of(
              SwapRefusal.ATTRIBUTES.because(
                  "differing", differences, "the same on file and copy", source.path())));
    }
    return SwapAnswer.SWAPPED;
  }

  private Optional<Refusal> changed(StoredFile sourceNow) {
    FileIdentity now = FileIdentity.of(sourceNow);
    return now.sameBytes(source) && now.modifiedMs() == source.modifiedMs()
        ? Optional.empty()
        : Optional.of(
            SwapRefusal.CHANGED.because(
                "differing", source.differences(now), "the file that was copied", source.path()));
  }

  private Optional<Refusal> lost(StoredFile copyNow) {
    FileIdentity made = FileIdentity.of(copyNow);
    return heldByHdfs(copyNow).isEmpty() && made.sameBytes(copy)
        ? Optional.empty()
        : Optional.of(
            SwapRefusal.COPY_LOST.because(
                "differing", copy.differences(made), "the copy that was verified", source.path()));
  }

  private Optional<Refusal> mismatch(StoredFile sourceNow, StoredFile copyNow) {
    return copyNow.lengthBytes() == sourceNow.lengthBytes()
        ? Optional.empty()
        : Optional.of(
            SwapRefusal.MISMATCH.because(
                "copyBytes", copyNow.lengthBytes(), "" + sourceNow.lengthBytes(), source.path()));
  }

  /** Why nothing can take the place of a file, whatever the copy. */
  static Optional<Refusal> unfit(StoredFile file) {
    return heldByHdfs(file).or(() -> heldByFeature(file)).or(() -> unfitForGood(file));
  }

  private static Optional<Refusal> unfitForGood(StoredFile file) {
    Optional<Refusal> held = heldByHdfs(file);
    for (StoredBlock block : file.blocks()) {
      if (held.isEmpty() && !block.complete()) {
        return Optional.of(
            SwapRefusal.OPEN.because(
                "block", block.id() + " not final", "final blocks", file.path()));
      }
    }
    return held.or(() -> contradictory(file)).or(() -> marked(file));
  }

  /** The parity of such a group may be what has the right bytes, and a copy would not have it. */
  private static Optional<Refusal> contradictory(StoredFile file) {
    for (StoredBlock block : file.blocks()) {
      if (block.doubt() == Doubt.FOUND) {
        return Optional.of(
            SwapRefusal.CONTRADICTION.because(
                "parityFits", false, "true of block " + block.id(), file.path()));
      }
      if (block.doubt() == Doubt.UNLISTED) {
        return Optional.of(
            SwapRefusal.UNLISTED_CONTRADICTION.because(
                "contradictoryGroups", "more than are listed", "a list of them all", file.path()));
      }
    }
    return Optional.empty();
  }

  /**
   * It may be contradictory. A NameNode that was started again, or has just taken over, says so of
   * every file until it is out of safe mode: no reason to lose a copy that has taken hours.
   */
  static Optional<Refusal> unknown(StoredFile file) {
    return file.blocks().stream().anyMatch(block -> block.doubt() == Doubt.UNKNOWN)
        ? Optional.of(
            SwapRefusal.DOUBTS_UNKNOWN.because(
                "contradictoryGroups", "not loaded", "a list of them all", file.path()))
        : Optional.empty();
  }

  /** A unit that is away may differ from what is decoded in its place. */
  static Optional<Refusal> degraded(StoredFile file) {
    for (StoredBlock block : file.blocks()) {
      if (block.missingDataUnits() > 0) {
        return Optional.of(
            SwapRefusal.MISSING_UNIT.because(
                "missingDataUnits",
                block.missingDataUnits(),
                "all data units of block " + block.id() + " on live nodes",
                file.path()));
      }
    }
    return Optional.empty();
  }

  /** No client sees such a mark, so nobody could give it to the copy. */
  private static Optional<Refusal> marked(StoredFile file) {
    return file.pairing().isMarked()
        ? Optional.of(
            SwapRefusal.OWN_MARK.because(
                "markOfRaidp", "of the file itself", "one of a directory, or none", file.path()))
        : Optional.empty();
  }

  /** Somebody or something has a hold on it that a copy would not have. */
  private static Optional<Refusal> heldByHdfs(StoredFile file) {
    if (file.holds().open()) {
      return Optional.of(SwapRefusal.OPEN.because("open", true, "a closed file", file.path()));
    }
    if (file.holds().shared()) {
      return Optional.of(
          SwapRefusal.SNAPSHOT.because("inSnapshot", true, "no snapshot of it", file.path()));
    }
    if (file.holds().encrypted()) {
      return Optional.of(
          SwapRefusal.ENCRYPTED.because(
              "encrypted", true, "a file outside encryption zones", file.path()));
    }
    return Optional.empty();
  }

  /**
   * A hold that passes. A NameNode that has just taken over says so of every file for a while, as
   * {@link #unknown}; a session that was opened since has changed the file.
   */
  private static Optional<Refusal> heldByFeature(StoredFile file) {
    return file.holds()
        .feature()
        .map(hold -> hold.refuse("replace a file by a copy of it", file.path()));
  }
}
