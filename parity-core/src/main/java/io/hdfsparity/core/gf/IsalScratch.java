/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Native memory of one thread: arrays of pointers, expanded tables of the matrix used last, and
 * blocks for heap buffers. Grows, never shrinks; its size is bounded by the widest code used. Not
 * thread-safe.
 *
 * <p><b>Invariants</b>: each address field is that of the buffer beside it; {@code tables} holds
 * the expansion of {@code tableMatrix} for {@code tableInputs} inputs.
 */
final class IsalScratch {
  /** Bytes that ISA-L asks for a coefficient. */
  static final int TABLE_BYTES = 32;

  /** Part of a heap buffer that is copied at a time: small enough to stay in the cache. */
  static final int BLOCK_BYTES = 16 * 1024;

  static final int CACHE_LINE_BYTES = 64;

  private static final int MIN_UNITS = 16;

  private final NativeMemory memory;
  private ByteBuffer inputsBuffer;
  private ByteBuffer outputsBuffer;
  private ByteBuffer tablesBuffer;
  private ByteBuffer blocks;
  private byte[] tableMatrix = new byte[0];
  private int tableInputs;
  private ByteBuffer programBlocks = ByteBuffer.allocateDirect(0);

  /** Address of the array of input pointers. */
  long inputs;

  /** Address of the array of output pointers. */
  long outputs;

  /** Address of the expanded coefficients. */
  long tables;

  IsalScratch(NativeMemory memory) {
    this.memory = memory;
    inputsBuffer = ByteBuffer.allocateDirect(MIN_UNITS * Long.BYTES);
    outputsBuffer = ByteBuffer.allocateDirect(MIN_UNITS * Long.BYTES);
    tablesBuffer = ByteBuffer.allocateDirect(MIN_UNITS * TABLE_BYTES);
    blocks = ByteBuffer.allocateDirect(0);
    inputs = memory.of(inputsBuffer, 0);
    outputs = memory.of(outputsBuffer, 0);
    tables = memory.of(tablesBuffer, 0);
  }

  /** Makes room for the pointers of a call. */
  void reservePointers(int inputCount, int outputCount) {
    if (inputsBuffer.capacity() < inputCount * Long.BYTES) {
      inputsBuffer = ByteBuffer.allocateDirect(inputCount * Long.BYTES);
      inputs = memory.of(inputsBuffer, 0);
    }
    if (outputsBuffer.capacity() < outputCount * Long.BYTES) {
      outputsBuffer = ByteBuffer.allocateDirect(outputCount * Long.BYTES);
      outputs = memory.of(outputsBuffer, 0);
    }
  }

  void putInput(int index, long address) {
    memory.putAddress(inputs + (long) index * Long.BYTES, address);
  }

  void putOutput(int index, long address) {
    memory.putAddress(outputs + (long) index * Long.BYTES, address);
  }

  /** Address, a multiple of 64, of so many bytes and 64 more; what they hold has no meaning. */
  long programScratch(long bytes) {
    int needed = Math.toIntExact(bytes + 2 * CACHE_LINE_BYTES);
    if (programBlocks.capacity() < needed) {
      programBlocks = ByteBuffer.allocateDirect(needed);
    }
    return (memory.of(programBlocks, 0) + CACHE_LINE_BYTES - 1) & -CACHE_LINE_BYTES;
  }

  /** Makes room for a code of this size. */
  void reserve(int inputCount, int outputCount) {
    reservePointers(inputCount, outputCount);
    // One slot more than needed: the matrix itself lies at the end while it is expanded.
    int tableBytes = inputCount * outputCount * (TABLE_BYTES + 1);
    if (tablesBuffer.capacity() < tableBytes) {
      tablesBuffer = ByteBuffer.allocateDirect(tableBytes);
      tables = memory.of(tablesBuffer, 0);
      tableMatrix = new byte[0];
    }
  }

  /** Expands a matrix unless it is the one expanded last. */
  void prepareTables(byte[] matrix, int inputCount, int outputCount) {
    if (tableInputs == inputCount && Arrays.equals(matrix, tableMatrix)) {
      return;
    }
    int matrixOffset = matrix.length * TABLE_BYTES;
    tablesBuffer.put(matrixOffset, matrix);
    IsalLibrary.ec_init_tables(inputCount, outputCount, tables + matrixOffset, tables);
    tableMatrix = matrix.clone();
    tableInputs = inputCount;
  }

  /** Stores the addresses of direct buffers' positions. */
  void putAddresses(long array, ByteBuffer[] buffers) {
    for (int i = 0; i < buffers.length; i++) {
      memory.putAddress(
          array + (long) i * Long.BYTES, memory.of(buffers[i], buffers[i].position()));
    }
  }

  /** Makes room for so many blocks. */
  void reserveBlocks(int count) {
    if (blocks.capacity() < count * BLOCK_BYTES) {
      blocks = ByteBuffer.allocateDirect(count * BLOCK_BYTES);
    }
  }

  long blockAddress(int block) {
    return memory.of(blocks, block * BLOCK_BYTES);
  }

  /** Stores the addresses of consecutive blocks. */
  void putBlockAddresses(long array, int first, int count) {
    for (int i = 0; i < count; i++) {
      memory.putAddress(array + (long) i * Long.BYTES, blockAddress(first + i));
    }
  }

  void copyIn(int block, ByteBuffer from, int offset, int bytes) {
    blocks.put(block * BLOCK_BYTES, from, from.position() + offset, bytes);
  }

  void copyOut(int block, ByteBuffer to, int offset, int bytes) {
    to.put(to.position() + offset, blocks, block * BLOCK_BYTES, bytes);
  }
}
