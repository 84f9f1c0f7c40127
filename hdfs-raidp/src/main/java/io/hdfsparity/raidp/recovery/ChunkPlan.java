/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What must be added up, each times a factor of GF(2^8), to get a range of a block's covered image:
 * parity at the block's extents, and the covered images of other rows that overlap them. Immutable.
 *
 * @param kind which half of the image
 * @param parts what is read from where
 */
record ChunkPlan(ParityKind kind, List<Part> parts) {
  ChunkPlan {
    parts = List.copyOf(parts);
  }

  /**
   * Bytes of one parity region or one image.
   *
   * @param source the dead disk
   * @param contributor row whose image is read from a mirror; empty: the parity of the disk
   * @param pieces in order
   */
  record Part(DecodeSource source, Optional<SlotEntry> contributor, List<Piece> pieces) {
    Part {
      pieces = List.copyOf(pieces);
    }
  }

  /**
   * Bytes of a source and where they belong.
   *
   * @param chunkOffset first byte in the range that is decoded
   * @param regionOffset first byte in the parity region
   * @param sourcePosition first byte in the source: parity region or image
   * @param lengthBytes at least 1
   * @param factor 1 to 255
   */
  record Piece(
      int chunkOffset, long regionOffset, long sourcePosition, int lengthBytes, int factor) {

    private boolean continues(Piece before) {
      return chunkOffset == before.chunkOffset + before.lengthBytes
          && regionOffset == before.regionOffset + before.lengthBytes
          && sourcePosition == before.sourcePosition + before.lengthBytes
          && factor == before.factor;
    }

    private Piece and(Piece next) {
      return new Piece(
          chunkOffset, regionOffset, sourcePosition, lengthBytes + next.lengthBytes, factor);
    }
  }

  /** Collects pieces by source, joins those that follow each other. Used by one thread. */
  static final class Builder {
    private final ParityKind kind;
    private final Map<Key, List<Piece>> pieces = new LinkedHashMap<>();

    private record Key(DecodeSource source, Optional<SlotEntry> contributor) {}

    Builder(ParityKind kind) {
      this.kind = kind;
    }

    void parity(DecodeSource source, Piece piece) {
      add(new Key(source, Optional.empty()), piece);
    }

    void contributor(DecodeSource source, SlotEntry contributor, Piece piece) {
      add(new Key(source, Optional.of(contributor)), piece);
    }

    private void add(Key key, Piece piece) {
      List<Piece> list = pieces.computeIfAbsent(key, k -> new ArrayList<>());
      int last = list.size() - 1;
      if (last >= 0 && piece.continues(list.get(last))) {
        list.set(last, list.get(last).and(piece));
      } else {
        list.add(piece);
      }
    }

    ChunkPlan build() {
      List<Part> parts = new ArrayList<>();
      pieces.forEach((key, list) -> parts.add(new Part(key.source(), key.contributor(), list)));
      return new ChunkPlan(kind, parts);
    }
  }
}
