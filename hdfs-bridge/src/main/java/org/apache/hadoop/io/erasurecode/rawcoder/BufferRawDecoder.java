/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.io.erasurecode.rawcoder;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;

/**
 * A raw decoder that sees byte buffers only, whichever way it was called.
 *
 * <p>Reaches {@code ByteBufferDecodingState} and {@code ByteArrayDecodingState}, package-private,
 * which both {@code doDecode} of {@link RawErasureDecoder} take: without a class here no decoder
 * can be made outside of Hadoop. Checked for Hadoop 3.5.0.
 */
public abstract class BufferRawDecoder extends RawErasureDecoder {
  protected BufferRawDecoder(ErasureCoderOptions options) {
    super(options);
  }

  /**
   * Decodes. Calls come one at a time.
   *
   * @param inputs all units by number, null where one is not given; from position to limit, all of
   *     one length that is not 0; positions stay
   * @param erasedIndexes units to compute
   * @param outputs where to, one an erased unit; positions stay, what they held has no meaning
   */
  protected abstract void decodeBuffers(
      ByteBuffer[] inputs, int[] erasedIndexes, ByteBuffer[] outputs) throws IOException;

  /** Kernels read and write memory outside of the heap without a copy. */
  @Override
  public boolean preferDirectBuffer() {
    return true;
  }

  @Override
  protected final void doDecode(ByteBufferDecodingState state) throws IOException {
    decodeBuffers(state.inputs, state.erasedIndexes, state.outputs);
  }

  @Override
  protected final void doDecode(ByteArrayDecodingState state) throws IOException {
    decodeBuffers(
        ArrayUnits.wrap(state.inputs, state.inputOffsets, state.decodeLength),
        state.erasedIndexes,
        ArrayUnits.wrap(state.outputs, state.outputOffsets, state.decodeLength));
  }
}
