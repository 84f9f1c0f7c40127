/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.erasure.DecodePlan;
import io.hdfsparity.core.erasure.LinearCode;
import io.hdfsparity.core.erasure.UndecodableException;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.Kernel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The code of a stripe, in the terms of the protocol.
 *
 * <p>Where the bytes of a code stay in their place, it is the code of every stripe. Where they move
 * ({@link RowMap}), it depends on how long the stripe's codeword is: {@link #forCodeword} says, and
 * nothing is computed before. Blocks are whole cells with zeros behind the codeword.
 *
 * <p>Immutable, thread-safe.
 */
public final class StripeCode {
  /** A parity block is sent so many times the bytes of a change that is made in one, */
  private static final int MAX_SPREAD = 2;

  /** or of so many more. */
  private static final int MAX_SPREAD_BYTES = 4096;

  private static final int UNKNOWN = -1;

  private final Kernel kernel;
  private final CodeTable table;
  private final LinearCode code;
  private final Shape shape;
  private final int codewordBytes;

  /**
   * A code whose bytes stay in their place.
   *
   * @param parityRows one row a parity block, one column a data block
   */
  public StripeCode(Kernel kernel, GfMatrix parityRows) {
    this(kernel, CodeTable.plain(parityRows));
  }

  /** A code; of stripes whose codeword is not known if bytes move. */
  public StripeCode(Kernel kernel, CodeTable table) {
    this(
        kernel,
        table,
        new LinearCode(kernel, table.coefficients()),
        new Shape(table.dataBlocks(), table.parityBlocks()),
        UNKNOWN);
  }

  private StripeCode(
      Kernel kernel, CodeTable table, LinearCode code, Shape shape, int codewordBytes) {
    this.kernel = kernel;
    this.table = table;
    this.code = code;
    this.shape = shape;
    this.codewordBytes = codewordBytes;
  }

  /**
   * The code of a stripe.
   *
   * @param lengthBytes of its parity cells, which is that of its first data cell: the cell size, or
   *     less in the last stripe of a block group
   */
  public StripeCode forCodeword(int lengthBytes) {
    Checks.argument(lengthBytes > 0, "code a stripe", "codewordBytes", lengthBytes, "> 0");
    return isPlain() ? this : new StripeCode(kernel, table, code, shape, lengthBytes);
  }

  public Shape shape() {
    return shape;
  }

  /** What makes it. */
  public CodeTable table() {
    return table;
  }

  private boolean isPlain() {
    return table.rowMap().isPlain();
  }

  /** The paper's alpha_ji. */
  public int coefficient(int parityBlock, int dataBlock) {
    return table.coefficients().at(parityBlock - shape.dataBlocks(), dataBlock);
  }

  private List<RowMap.Run> runs(int parityBlock, int dataBlock, Patch patch) {
    return table
        .rowMap()
        .runs(
            parityBlock - shape.dataBlocks(),
            dataBlock,
            patch.offset(),
            patch.bytes().length(),
            requireCodeword());
  }

  private int requireCodeword() {
    Checks.state(codewordBytes > 0, "code a stripe", "codewordBytes", codewordBytes, "> 0");
    return codewordBytes;
  }

  /**
   * What a change of a data block changes in a parity block: {@code alpha_ji * delta}, where it
   * goes, and zeros between the places if there are several.
   *
   * @param delta to be added to the data block
   */
  public Patch change(int parityBlock, int dataBlock, Patch delta) {
    Bytes scaled = scale(parityBlock, dataBlock, delta.bytes());
    if (isPlain()) {
      return new Patch(delta.offset(), scaled);
    }
    List<RowMap.Run> runs = runs(parityBlock, dataBlock, delta);
    if (runs.size() == 1) {
      return new Patch(runs.get(0).parityOffset(), scaled);
    }
    int from = from(runs);
    byte[] spread = new byte[to(runs) - from];
    for (RowMap.Run run : runs) {
      scaled
          .buffer()
          .get(run.offset() - delta.offset(), spread, run.parityOffset() - from, run.lengthBytes());
    }
    return new Patch(from, Bytes.wrap(spread));
  }

  private static int from(List<RowMap.Run> runs) {
    return runs.stream().mapToInt(RowMap.Run::parityOffset).min().orElseThrow();
  }

  private static int to(List<RowMap.Run> runs) {
    return runs.stream().mapToInt(RowMap.Run::parityEnd).max().orElseThrow();
  }

  private Bytes scale(int parityBlock, int dataBlock, Bytes delta) {
    byte[] scaled = new byte[delta.length()];
    kernel.multiplyAdd(
        coefficient(parityBlock, dataBlock), delta.buffer(), ByteBuffer.wrap(scaled));
    return Bytes.wrap(scaled);
  }

  /**
   * A write of a data block in parts that are better made one after the other: one, unless a parity
   * block would be sent much more than changes, since the ends of the write go to places that are
   * far from each other.
   */
  public List<Patch> parts(int dataBlock, Patch patch) {
    if (isPlain() || !isSpread(dataBlock, patch)) {
      return List.of(patch);
    }
    List<Patch> parts = new ArrayList<>();
    for (int at = patch.offset(); at < patch.end(); ) {
      int end = Math.min(patch.end(), table.rowMap().endOfRow(at, requireCodeword()));
      parts.add(new Patch(at, patch.bytes().slice(at - patch.offset(), end - at)));
      at = end;
    }
    return parts;
  }

  private boolean isSpread(int dataBlock, Patch patch) {
    for (int parity = shape.dataBlocks(); parity < shape.blocks(); parity++) {
      List<RowMap.Run> runs = runs(parity, dataBlock, patch);
      int lengthBytes = patch.bytes().length();
      int spreadBytes = to(runs) - from(runs);
      if (spreadBytes > MAX_SPREAD * lengthBytes && spreadBytes > lengthBytes + MAX_SPREAD_BYTES) {
        return true;
      }
    }
    return false;
  }

  /** All blocks of a stripe, from its data blocks. */
  public List<Bytes> encode(List<Bytes> data) {
    int lengthBytes = data.get(0).length();
    List<Bytes> all = new ArrayList<>(data);
    ByteBuffer[] parity = new ByteBuffer[shape.parityBlocks()];
    for (int i = 0; i < parity.length; i++) {
      byte[] bytes = new byte[lengthBytes];
      parity[i] = ByteBuffer.wrap(bytes);
      all.add(Bytes.wrap(bytes));
    }
    ByteBuffer[] blocks = data.stream().map(Bytes::buffer).toArray(ByteBuffer[]::new);
    if (isPlain()) {
      code.encode(blocks, parity);
    } else {
      new RowCoder(kernel, table, requireCodeword()).encode(blocks, parity);
    }
    return all;
  }

  /**
   * All blocks of a stripe, from at least k of them. Blocks beyond k are compared with what the
   * others give: a set that is no codeword is refused instead of decoded to garbage.
   *
   * @param known blocks by index
   * @throws InconsistentStripeException if they are too few or do not fit together
   */
  public List<Bytes> decode(SortedMap<Integer, Bytes> known) throws InconsistentStripeException {
    List<Bytes> all = encode(isPlain() ? data(known) : movedData(known));
    known.forEach(
        (block, bytes) -> {
          if (!all.get(block).equals(bytes)) {
            throw new InconsistentStripeException(
                ErrorMessage.to("decode a stripe")
                    .value("known", known.keySet())
                    .expected("blocks of one codeword")
                    .where("block", block)
                    .message());
          }
        });
    return all;
  }

  private List<Bytes> data(SortedMap<Integer, Bytes> known) {
    List<Integer> wanted = new ArrayList<>();
    for (int block = 0; block < shape.dataBlocks(); block++) {
      wanted.add(block);
    }
    DecodePlan plan;
    try {
      plan = code.planDecode(List.copyOf(known.keySet()), wanted);
    } catch (UndecodableException | IllegalArgumentException e) {
      throw tooFew(known, e);
    }
    List<ByteBuffer> sources = new ArrayList<>();
    int lengthBytes = 0;
    for (int source : plan.sources()) {
      Bytes bytes = known.get(source);
      if (bytes != null) {
        sources.add(bytes.buffer());
        lengthBytes = bytes.length();
      }
    }
    List<Bytes> data = new ArrayList<>();
    ByteBuffer[] outputs = new ByteBuffer[wanted.size()];
    for (int i = 0; i < outputs.length; i++) {
      byte[] bytes = new byte[lengthBytes];
      outputs[i] = ByteBuffer.wrap(bytes);
      data.add(Bytes.wrap(bytes));
    }
    plan.decode(sources.toArray(ByteBuffer[]::new), outputs);
    return data;
  }

  private InconsistentStripeException tooFew(
      SortedMap<Integer, Bytes> known, @Nullable Exception cause) {
    return new InconsistentStripeException(
        ErrorMessage.to("decode a stripe")
            .value("known", known.keySet())
            .expected("at least " + shape.dataBlocks() + " blocks")
            .message(),
        cause);
  }

  /** What parity has beside the known data is what the unknown data have made of it. */
  private List<Bytes> movedData(SortedMap<Integer, Bytes> known) {
    if (known.size() < shape.dataBlocks()) {
      throw tooFew(known, null);
    }
    int lengthBytes = known.values().iterator().next().length();
    List<Bytes> data = new ArrayList<>();
    List<Integer> unknown = new ArrayList<>();
    List<ByteBuffer> outputs = new ArrayList<>();
    for (int block = 0; block < shape.dataBlocks(); block++) {
      Bytes bytes = known.get(block);
      data.add(bytes == null ? Bytes.zeros(lengthBytes) : bytes);
    }
    if (known.headMap(shape.dataBlocks()).size() == shape.dataBlocks()) {
      return data;
    }
    List<Bytes> partial = encode(data);
    List<Integer> parities = new ArrayList<>();
    List<ByteBuffer> syndromes = new ArrayList<>();
    for (Map.Entry<Integer, Bytes> parity : known.tailMap(shape.dataBlocks()).entrySet()) {
      parities.add(parity.getKey() - shape.dataBlocks());
      syndromes.add(parity.getValue().xor(partial.get(parity.getKey())).buffer());
    }
    for (int block = 0; block < shape.dataBlocks(); block++) {
      if (!known.containsKey(block)) {
        byte[] bytes = new byte[lengthBytes];
        unknown.add(block);
        outputs.add(ByteBuffer.wrap(bytes));
        data.set(block, Bytes.wrap(bytes));
      }
    }
    boolean isSolved =
        new RowCoder(kernel, table, requireCodeword())
            .solve(
                parities,
                syndromes.toArray(ByteBuffer[]::new),
                unknown,
                outputs.toArray(ByteBuffer[]::new));
    if (!isSolved) {
      throw tooFew(known, null);
    }
    return data;
  }
}
