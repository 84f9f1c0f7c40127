/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.apply;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.swap.DecodedException;
import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.Inspection;
import io.hdfsparity.bridge.swap.SwapAnswer;
import io.hdfsparity.bridge.swap.SwapRefusal;
import io.hdfsparity.bridge.swap.SwapRules;
import io.hdfsparity.izs.mapping.StorageForm;
import io.hdfsparity.izs.mapping.StorageForm.Coded;
import io.hdfsparity.izs.mapping.StorageForm.Raidp;
import io.hdfsparity.izs.mapping.StorageForm.Replicated;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives one file another form by a verified copy.
 *
 * <pre>
 *  inspect source ─► write copy ─► inspect copy ─► read back, compare ─► dress ─► swap ─► done
 *        │               │              │                │                │ ▲      │ │
 *        │               │              │                │                │ └──────┘ │ (attributes
 *        ▼               ▼              ▼                ▼                ▼  again   ▼  differ, or
 *     refused ◄──────────┴──────────────┴─ discard copy ─┴────────────────┴──────── refused  not yet)
 * </pre>
 *
 * <p><b>Invariant</b>: the path of the source leads, at every moment, to a file that has all
 * acknowledged bytes. The only step that changes what the path leads to is the swap, and the
 * NameNode does that under its lock, only when {@link SwapRules} hold. Everything before it writes
 * to the copy alone.
 *
 * <p><b>Crash</b> of the mover. Before the swap: the source is untouched, and the copy is left in
 * the work folder; no run trusts or uses the copy of another, the next one deletes it and begins
 * anew. During the swap: it is done or not, by one operation of the edit log; the next run sees the
 * file in its form and leaves it alone, or begins anew. After it: nothing is left to do. An answer
 * of the NameNode that is lost is asked for again: a swap that is done is answered as done. {@link
 * MoveSteps#discard} after a swap whose answer never came deletes nothing but a copy that is still
 * in the work folder; deleted before a swap that was delayed on the way, it makes that fail.
 *
 * <p>For one file; not thread-safe.
 */
public final class FileMove {
  private static final Logger LOG = LoggerFactory.getLogger(FileMove.class);

  /** RAIDP keeps two copies. */
  private static final String RAIDP_FORM = "replication 2";

  private final String path;
  private final long inodeId;
  private final StorageForm form;
  private final MoveSteps steps;
  private final MovePoints points;

  /**
   * @param path of the file, for messages
   * @param inodeId of the file; another one that the path leads to is refused
   * @param form wanted
   */
  public FileMove(String path, long inodeId, StorageForm form, MoveSteps steps, MovePoints points) {
    this.path = path;
    this.inodeId = inodeId;
    this.form = form;
    this.steps = steps;
    this.points = points;
  }

  /** Asks the NameNode for a file. */
  @FunctionalInterface
  public interface Inspector {
    Inspection inspect(String path) throws IOException;
  }

  /** What would keep a file from being changed, as far as it can be known beforehand. */
  public static Optional<Refusal> foreseen(String path, StorageForm form, Inspector inspector)
      throws IOException {
    try {
      return refusal(path, form, inspector.inspect(path));
    } catch (FileNotFoundException e) {
      return Optional.of(gone(path, e));
    }
  }

  private static Optional<Refusal> refusal(String path, StorageForm form, Inspection source) {
    if (source.refusal().isEmpty() && form instanceof Raidp && !source.pairPlaced()) {
      return Optional.of(
          MoveRefusal.NO_RAIDP.because("form", form.text(), "a NameNode that runs RAIDP", path));
    }
    return source.refusal().or(() -> unprotected(path, form, source));
  }

  /** Two copies without parity are not enough. */
  private static Optional<Refusal> unprotected(String path, StorageForm form, Inspection file) {
    return form instanceof Raidp && !file.isProtected()
        ? Optional.of(
            MoveRefusal.NOT_PROTECTED.because(
                "isProtected", false, "a file in a directory that RAIDP protects", path))
        : Optional.empty();
  }

  /**
   * Moves the file.
   *
   * @throws IOException when the NameNode cannot be asked for files at all
   */
  public MoveResult run() throws IOException {
    Inspection source;
    try {
      source = steps.inspectSource();
    } catch (FileNotFoundException e) {
      return MoveResult.refused(gone(path, e));
    }
    if (source.identity().inodeId() != inodeId) {
      return MoveResult.refused(replaced(path, inodeId, source.identity().inodeId()));
    }
    Optional<Refusal> unfit = refusal(path, form, source);
    if (unfit.isPresent()) {
      return MoveResult.refused(unfit.get());
    }
    if (source.identity().form().equals(formName())) {
      // Done by another run, or by an earlier call, since the advice was given.
      return new MoveResult(0, Optional.empty());
    }
    points.reached(MovePoints.Point.INSPECTED);
    MoveResult result;
    try {
      result = copyAndSwap(source);
    } catch (FileNotFoundException e) {
      result = MoveResult.refused(gone(path, e));
    } catch (DecodedException e) {
      result = MoveResult.refused(e.refusal());
    } catch (IOException | RuntimeException e) {
      result = MoveResult.refused(failed(e));
    }
    if (result.refusal().isPresent()) {
      discard(result.refusal().get());
    }
    return result;
  }

  /** As the NameNode names the wanted form. */
  private String formName() {
    return form instanceof Coded coded
        ? coded.policy()
        : form instanceof Replicated replicated ? replicated.text() : RAIDP_FORM;
  }

  private MoveResult copyAndSwap(Inspection source) throws IOException {
    ByteDigest read = steps.copy(source);
    points.reached(MovePoints.Point.COPIED);
    Inspection inspected = steps.inspectCopy();
    FileIdentity copy = inspected.identity();
    // Its place decides for its blocks.
    Optional<Refusal> unprotected = unprotected(copy.path(), form, inspected);
    if (unprotected.isPresent()) {
      return MoveResult.refused(unprotected.get());
    }
    ByteDigest written = steps.readBack(copy);
    if (read.lengthBytes() != source.identity().lengthBytes()) {
      return MoveResult.refused(
          SwapRefusal.CHANGED.because(
              "bytesRead", read.lengthBytes(), "" + source.identity().lengthBytes(), path));
    }
    if (!read.equals(written)) {
      return MoveResult.refused(
          SwapRefusal.MISMATCH.because("copy", written, "equal to the source's " + read, path));
    }
    points.reached(MovePoints.Point.VERIFIED);
    return swap(source, copy);
  }

  private MoveResult swap(Inspection source, FileIdentity copy) throws IOException {
    boolean dressed = false;
    while (true) {
      if (!dressed) {
        steps.dress(source);
        points.reached(MovePoints.Point.DRESSED);
      }
      SwapAnswer answer = ask(source.identity(), copy);
      if (answer.outcome() == SwapAnswer.Outcome.SWAPPED) {
        points.reached(MovePoints.Point.SWAPPED);
        return new MoveResult(source.identity().lengthBytes(), Optional.empty());
      }
      if (answer.outcome() == SwapAnswer.Outcome.REFUSED || !steps.pause()) {
        return new MoveResult(0, answer.refusal());
      }
      dressed = answer.outcome() != SwapAnswer.Outcome.DRESS;
    }
  }

  /** An answer that did not come is waited for like one that says "not yet". */
  private SwapAnswer ask(FileIdentity source, FileIdentity copy) {
    try {
      return steps.swap(source, copy);
    } catch (IOException e) {
      return SwapAnswer.wait(SwapRefusal.UNKNOWN.because("swap", text(e), "an answer", path));
    }
  }

  private void discard(Refusal because) {
    try {
      steps.discard();
    } catch (IOException e) {
      // The next run deletes it: what a run leaves behind is never used.
      LOG.warn("Cannot delete the copy of {}: {}; not used: {}", path, e, because.reason());
    }
  }

  /** The path leads to another file than the one that advice was given for. */
  private static Refusal replaced(String path, long advisedId, long inodeId) {
    return SwapRefusal.CHANGED.because(
        "inode", inodeId, advisedId + ", which the advice was given for", path);
  }

  private static Refusal gone(String path, FileNotFoundException e) {
    return SwapRefusal.CHANGED.because("found", text(e), "a file", path);
  }

  private Refusal failed(Exception e) {
    String kind = e.getClass().getSimpleName();
    if (kind.contains("QuotaExceeded")) {
      return SwapRefusal.QUOTA.because("copy", text(e), "no error", path);
    }
    return (kind.contains("BlockMissing") ? MoveRefusal.UNREADABLE : MoveRefusal.FAILED)
        .because("copy", text(e), "no error", path);
  }

  private static String text(Exception e) {
    String message = Objects.requireNonNullElse(e.getMessage(), "");
    return e.getClass().getSimpleName() + " " + message.lines().findFirst().orElse("");
  }
}
