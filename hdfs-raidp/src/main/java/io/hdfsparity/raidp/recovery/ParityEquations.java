/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.core.gf.Gf256;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.RowReduction;
import io.hdfsparity.raidp.lstor.Extents;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Decodes from the Lstors of several dead disks at once. At each place in the parity every dead
 * disk gives an equation over GF(2^8): its parity is the sum of the images of its rows there, each
 * times its coefficient. Images that a mirror serves are known, those of superchunks both of whose
 * disks are dead are not. Of three dead disks at most three superchunks are lost, and their three
 * equations can be solved if one side of each has coefficient 2 and the other 1 (ADR 0034).
 *
 * <p>Blocks lie at the same units on both sides of a superchunk, so equations of the same place
 * belong together. What two rows say of an image is taken for the same unknown only where it must
 * be the same bytes: same block, generation stamp and form of the checksum file, and not the
 * checksum of a last chunk that differs in length. All else counts as different unknowns: then less
 * can be solved, and nothing is wrong.
 *
 * <p>Pure: plans, reads nothing.
 */
final class ParityEquations {
  private final List<DecodeSource> sources;
  private final ParityKind kind;

  /**
   * @param sources dead disks whose Lstors may be used, those first that shall be used first
   */
  ParityEquations(List<DecodeSource> sources, ParityKind kind) {
    this.sources = List.copyOf(sources);
    this.kind = kind;
  }

  /** A row's bytes from {@code from} to {@code to} in the parity region. */
  private record Term(
      DecodeSource source,
      SlotEntry row,
      long from,
      long to,
      long imagePosition,
      boolean isAvailable) {
    long imageAt(long regionOffset) {
      return imagePosition + regionOffset - from;
    }

    boolean covers(long regionOffset) {
      return from <= regionOffset && regionOffset < to;
    }

    boolean isOf(BlockDecoder.Candidate candidate) {
      return source == candidate.source() && row.equals(candidate.row());
    }

    @Override
    public String toString() {
      return "block="
          + row.blockId()
          + " GS="
          + row.generationStamp()
          + " covered="
          + row.coveredBytes()
          + " frame="
          + row.frameIndex()
          + " of disk "
          + source.diskId();
    }
  }

  /**
   * Bytes of an image that all rows agree on that have them. That they do is what the decoder
   * relies on: where the same wrong bytes stand for data and checksums of a contributor, the
   * checksums of the decoded block may match all the same, as they are sums like the parity.
   *
   * @param prefix covered bytes, where the bytes depend on them; else 0
   * @param position in the image
   */
  private record ImageBytes(
      long blockId,
      long generationStamp,
      int checksumType,
      int bytesPerChecksum,
      long prefix,
      long position) {}

  /**
   * Plans to decode a range of a row's image.
   *
   * @throws UndecodableException naming the images that the equations do not tell apart
   */
  ChunkPlan plan(BlockDecoder.Candidate target, long position, int lengthBytes)
      throws UndecodableException {
    ChunkPlan.Builder plan = new ChunkPlan.Builder(kind);
    int perUnit = target.source().bytesPerUnit(kind);
    for (Extents.Segment segment :
        Extents.segments(target.row().runs(), perUnit, position, lengthBytes)) {
      long from = segment.regionOffset();
      long to = from + segment.lengthBytes();
      Terms terms = terms(target, from, to);
      long start = from;
      for (long end : cuts(terms.solved(), from, to).tailSet(from, false)) {
        new Place(terms, target, start, end)
            .solve((int) (segment.position() + start - from - position), plan);
        start = end;
      }
    }
    return plan.build();
  }

  /**
   * Terms of a stretch of the parity.
   *
   * @param solved of blocks that are wanted or that have an image nobody serves: few
   * @param served all others, whose images mirrors serve: many
   */
  private record Terms(List<Term> solved, List<Term> served) {}

  private Terms terms(BlockDecoder.Candidate target, long from, long to) {
    List<Term> all = new ArrayList<>();
    for (DecodeSource source : sources) {
      int perUnit = source.bytesPerUnit(kind);
      for (RowIndex.PlacedRun placed :
          source.rowsOn((int) (from / perUnit), (int) ((to + perUnit - 1) / perUnit))) {
        long runAt = (long) placed.run().start() * perUnit;
        long imageAt = (long) placed.firstUnit() * perUnit;
        // The image ends somewhere in its runs; what follows is zero in the parity.
        long imageEnd = runAt + Images.bytes(kind, placed.row()) - imageAt;
        long first = Math.max(from, runAt);
        long last = Math.min(Math.min(to, (long) placed.run().end() * perUnit), imageEnd);
        if (first < last) {
          all.add(
              new Term(
                  source,
                  placed.row(),
                  first,
                  last,
                  imageAt + first - runAt,
                  source.isAvailable(placed.row())));
        }
      }
    }
    Set<Long> blocks = new HashSet<>(List.of(target.row().blockId()));
    all.stream().filter(term -> !term.isAvailable()).forEach(t -> blocks.add(t.row().blockId()));
    List<Term> solved = new ArrayList<>();
    List<Term> served = new ArrayList<>();
    all.forEach(term -> (blocks.contains(term.row().blockId()) ? solved : served).add(term));
    return new Terms(solved, served);
  }

  /** Between two of these offsets the same terms are to be solved, each for the same bytes. */
  private NavigableSet<Long> cuts(List<Term> solved, long from, long to) {
    NavigableSet<Long> cuts = new TreeSet<>(List.of(from, to));
    for (Term term : solved) {
      cuts.add(term.from());
      cuts.add(term.to());
      long lastChecksum = term.from() + lastChecksum(term.row()) - term.imagePosition();
      if (kind == ParityKind.META && from < lastChecksum && lastChecksum < to) {
        cuts.add(lastChecksum);
      }
    }
    return cuts;
  }

  /** Where the checksum of the last, incomplete chunk begins; it depends on the covered prefix. */
  private static long lastChecksum(SlotEntry row) {
    long whole = row.coveredBytes() - row.coveredBytes() % row.bytesPerChecksum();
    return row.checksum().metaLength(whole);
  }

  /** Equations of the same bytes of the parity. */
  private final class Place {
    private final List<Term> solved;
    private final List<Term> served;
    private final long start;
    private final long end;

    /** Who serves an image that another row cannot get. */
    private final Map<ImageBytes, Term> servers = new HashMap<>();

    private final Map<ImageBytes, Integer> unknowns = new LinkedHashMap<>();

    Place(Terms terms, BlockDecoder.Candidate target, long start, long end) {
      this.solved = terms.solved().stream().filter(term -> term.covers(start)).toList();
      this.served = terms.served();
      this.start = start;
      this.end = end;
      ImageBytes wanted =
          image(solved.stream().filter(term -> term.isOf(target)).findFirst().orElseThrow());
      unknowns.put(wanted, 0);
      for (Term term : solved) {
        if (term.isAvailable() && !image(term).equals(wanted)) {
          servers.putIfAbsent(image(term), term);
        }
      }
      for (Term term : solved) {
        if (!servers.containsKey(image(term))) {
          unknowns.putIfAbsent(image(term), unknowns.size());
        }
      }
    }

    private ImageBytes image(Term term) {
      SlotEntry row = term.row();
      long position = term.imageAt(start);
      boolean depends = kind == ParityKind.META && position >= lastChecksum(row);
      return new ImageBytes(
          row.blockId(),
          row.generationStamp(),
          row.checksumTypeId(),
          row.bytesPerChecksum(),
          depends ? row.coveredBytes() : 0,
          position);
    }

    void solve(int chunkOffset, ChunkPlan.Builder plan) throws UndecodableException {
      int columns = unknowns.size();
      byte[] matrix = new byte[sources.size() * columns];
      for (Term term : solved) {
        Integer column = unknowns.get(image(term));
        if (column != null) {
          matrix[sources.indexOf(term.source()) * columns + column] ^=
              (byte) term.row().coefficient();
        }
      }
      byte[] onlyWanted = new byte[columns];
      onlyWanted[0] = 1;
      byte[] factors =
          new RowReduction(GfMatrix.of(sources.size(), columns, matrix))
              .express(onlyWanted)
              .orElseThrow(this::undecodable);
      for (int i = 0; i < factors.length; i++) {
        if (factors[i] != 0) {
          addEquation(sources.get(i), factors[i] & 0xff, chunkOffset, plan);
        }
      }
    }

    private void addEquation(
        DecodeSource source, int factor, int chunkOffset, ChunkPlan.Builder plan) {
      plan.parity(
          source, new ChunkPlan.Piece(chunkOffset, start, start, (int) (end - start), factor));
      for (Term term : solved) {
        Term server = servers.get(image(term));
        if (term.source() == source && server != null) {
          addImage(server, Gf256.multiply(factor, term.row().coefficient()), chunkOffset, plan);
        }
      }
      for (Term term : served) {
        if (term.source() == source && term.from() < end && start < term.to()) {
          addImage(term, Gf256.multiply(factor, term.row().coefficient()), chunkOffset, plan);
        }
      }
    }

    /** Adds what an image has in this place. */
    private void addImage(Term term, int factor, int chunkOffset, ChunkPlan.Builder plan) {
      long from = Math.max(start, term.from());
      long to = Math.min(end, term.to());
      plan.contributor(
          term.source(),
          term.row(),
          new ChunkPlan.Piece(
              chunkOffset + (int) (from - start),
              from,
              term.imageAt(from),
              (int) (to - from),
              factor));
    }

    private UndecodableException undecodable() {
      return new UndecodableException(
          "Lstors of disks "
              + sources.stream().map(DecodeSource::diskId).toList()
              + " do not tell apart: "
              + solved.stream()
                  .filter(term -> unknowns.containsKey(image(term)))
                  .map(Term::toString)
                  .collect(Collectors.joining("; "))
              + ", expected more mirrors of these, or the Lstor of another disk that had one");
    }
  }
}
