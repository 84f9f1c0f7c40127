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
 * A raw encoder that sees byte buffers only, whichever way it was called.
 *
 * <p>Reaches {@code ByteBufferEncodingState} and {@code ByteArrayEncodingState}, package-private,
 * which both {@code doEncode} of {@link RawErasureEncoder} take: without a class here no encoder
 * can be made outside of Hadoop. Checked for Hadoop 3.5.0.
 */
public abstract class BufferRawEncoder extends RawErasureEncoder {
  protected BufferRawEncoder(ErasureCoderOptions options) {
    super(options);
  }

  /**
   * Encodes.
   *
   * @param inputs data units, from position to limit, all of one length that is not 0; positions
   *     stay
   * @param outputs parity units, as long; positions stay, what they held has no meaning
   */
  protected abstract void encodeBuffers(ByteBuffer[] inputs, ByteBuffer[] outputs)
      throws IOException;

  /** Kernels read and write memory outside of the heap without a copy. */
  @Override
  public boolean preferDirectBuffer() {
    return true;
  }

  @Override
  protected final void doEncode(ByteBufferEncodingState state) throws IOException {
    encodeBuffers(state.inputs, state.outputs);
  }

  @Override
  protected final void doEncode(ByteArrayEncodingState state) throws IOException {
    encodeBuffers(
        ArrayUnits.wrap(state.inputs, state.inputOffsets, state.encodeLength),
        ArrayUnits.wrap(state.outputs, state.outputOffsets, state.encodeLength));
  }
}
