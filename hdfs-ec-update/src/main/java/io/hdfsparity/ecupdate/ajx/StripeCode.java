/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.core.erasure.DecodePlan;
import io.hdfsparity.core.erasure.LinearCode;
import io.hdfsparity.core.erasure.UndecodableException;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.Kernel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** The code of a stripe, in the terms of the protocol. Immutable, thread-safe. */
public final class StripeCode {
  private final Kernel kernel;
  private final GfMatrix parityRows;
  private final LinearCode code;
  private final Shape shape;

  /**
   * A code.
   *
   * @param parityRows one row a parity block, one column a data block
   */
  public StripeCode(Kernel kernel, GfMatrix parityRows) {
    this.kernel = kernel;
    this.parityRows = parityRows;
    code = new LinearCode(kernel, parityRows);
    shape = new Shape(parityRows.columns(), parityRows.rows());
  }

  public Shape shape() {
    return shape;
  }

  /** The paper's alpha_ji. */
  public int coefficient(int parityBlock, int dataBlock) {
    return parityRows.at(parityBlock - shape.dataBlocks(), dataBlock);
  }

  /** What a change of a data block changes in a parity block: {@code alpha_ji * delta}. */
  public Bytes scale(int parityBlock, int dataBlock, Bytes delta) {
    byte[] scaled = new byte[delta.length()];
    kernel.multiplyAdd(
        coefficient(parityBlock, dataBlock), delta.buffer(), ByteBuffer.wrap(scaled));
    return Bytes.wrap(scaled);
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
    code.encode(data.stream().map(Bytes::buffer).toArray(ByteBuffer[]::new), parity);
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
    List<Integer> wanted = new ArrayList<>();
    for (int block = 0; block < shape.dataBlocks(); block++) {
      wanted.add(block);
    }
    DecodePlan plan;
    try {
      plan = code.planDecode(List.copyOf(known.keySet()), wanted);
    } catch (UndecodableException | IllegalArgumentException e) {
      throw new InconsistentStripeException(
          Refusal.to("decode a stripe")
              .value("known", known.keySet())
              .expected("at least " + shape.dataBlocks() + " blocks")
              .message(),
          e);
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
    List<Bytes> all = encode(data);
    known.forEach(
        (block, bytes) -> {
          if (!all.get(block).equals(bytes)) {
            throw new InconsistentStripeException(
                Refusal.to("decode a stripe")
                    .value("known", known.keySet())
                    .expected("blocks of one codeword")
                    .where("block", block)
                    .message());
          }
        });
    return all;
  }
}
