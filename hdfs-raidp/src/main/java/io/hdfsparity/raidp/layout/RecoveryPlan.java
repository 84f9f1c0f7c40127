/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How to become fully redundant again: moves in rounds, to be done one round after the other.
 *
 * <p>Rebuild rounds come first: a re-pairing drops what a surviving frame keeps for its dead
 * partner, which the decoding from that partner's Lstor needs. A receiver disk takes part in at
 * most one move of a round.
 *
 * @param rounds rounds in order
 * @param unplaceable superchunks that stay lost or degraded, each with the reason
 * @param layoutAfter superchunks with two live frames when all rounds are done
 * @param searched what is known when not complete
 */
public record RecoveryPlan(
    List<Round> rounds, List<Unplaceable> unplaceable, Layout layoutAfter, Search searched) {
  public RecoveryPlan {
    rounds = List.copyOf(rounds);
    unplaceable = List.copyOf(unplaceable);
  }

  /** How thoroughly receivers were searched. */
  public enum Search {
    /** Matching, and where needed repair, placed all that has a home by the rules. */
    PLACED_ALL,
    /** An exhaustive search found that not all can be placed. */
    PROVEN_IMPOSSIBLE,
    /** Not all were placed; the search stopped before it had seen all ways. */
    GAVE_UP
  }

  /**
   * Whether every superchunk has two live frames after the plan. What a rebuild brings back is
   * another matter: a move with partial Lstors only may find blocks that cannot be decoded.
   */
  public boolean isComplete() {
    return unplaceable.isEmpty();
  }

  public Stream<Move> moves() {
    return rounds.stream().flatMap(round -> round.moves().stream());
  }

  /** Whether a superchunk is decoded or copied. */
  public enum Kind {
    /** LOST: both frames are gone; decoded from Lstors and mirrors at the receiver. */
    REBUILD,
    /** DEGRADED: one frame is gone; copied from the survivor to the receiver. */
    COPY
  }

  /**
   * Moves that may run at the same time.
   *
   * @param kind of all its moves
   * @param moves at most one to a receiver disk
   */
  public record Round(Kind kind, List<Move> moves) {
    public Round {
      moves = List.copyOf(moves);
    }
  }

  /**
   * A superchunk's way to a new frame.
   *
   * @param kind rebuild or copy
   * @param superchunkId superchunk
   * @param deadFrames frames that are gone: two for a rebuild, one for a copy, none for the copy of
   *     a superchunk rebuilt before
   * @param source frame to copy from; empty for a rebuild
   * @param receiver spare frame that takes it
   * @param receiverDisk disk of that frame
   * @param lstors failed disks whose Lstor decodes all of the superchunk at this point of the plan,
   *     because it is the only one of the disk's superchunks that is lost then; empty for a copy
   * @param partialLstors further Lstors, which decode only what no other lost superchunk of their
   *     disk overlaps
   */
  public record Move(
      Kind kind,
      long superchunkId,
      List<FrameId> deadFrames,
      Optional<FrameId> source,
      FrameId receiver,
      DiskId receiverDisk,
      List<DiskId> lstors,
      List<DiskId> partialLstors) {
    public Move {
      deadFrames = List.copyOf(deadFrames);
      lstors = List.copyOf(lstors);
      partialLstors = List.copyOf(partialLstors);
    }
  }

  /** Why a superchunk has no receiver. */
  public enum Reason {
    /** No live, open disk has a spare frame. */
    NO_SPARE_FRAME,
    /** No disk with a spare frame is on another node and rack. */
    NODE_OR_RACK,
    /** All disks that nodes and racks allow share another superchunk with the survivor. */
    ONE_SHARING,
    /** There are disks, but all are taken by other superchunks of this recovery. */
    TAKEN,
    /** Both frames are gone and neither Lstor can be read. */
    NO_LSTOR
  }

  /**
   * A superchunk that stays as it is.
   *
   * @param kind what could not be done
   * @param superchunkId superchunk
   * @param frames its frames before the failure, the survivor first where there is one
   * @param reason why
   * @param detail in words, with values
   */
  public record Unplaceable(
      Kind kind, long superchunkId, List<FrameId> frames, Reason reason, String detail) {
    public Unplaceable {
      frames = List.copyOf(frames);
    }
  }
}
