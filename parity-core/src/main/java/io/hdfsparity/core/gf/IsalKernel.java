/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import io.hdfsparity.core.check.Checks;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Intel's Intelligent Storage Acceleration Library by JNA. Direct buffers are worked on in place;
 * heap buffers are copied through native scratch, block by block. Thread-safe: scratch is per
 * thread.
 */
public final class IsalKernel implements ProgramKernel {
  /** {@code xor_gen} uses aligned loads; it faults on others. */
  static final int XOR_ALIGNMENT = 32;

  /**
   * Below this XOR is done by a loop in Java: entering native code takes about 90 ns, in which the
   * loop does 3 KiB.
   */
  private static final int XOR_MIN_NATIVE_BYTES = 8 * 1024;

  private final NativeMemory memory;
  private final ThreadLocal<IsalScratch> scratch;

  /** Expanded coefficients 0..255, each in a slot of its own. */
  private final ByteBuffer coefficientTables;

  private final long coefficientTablesAddress;

  /**
   * Loads the library.
   *
   * @throws LinkageError if it, JNA or access to native memory is missing
   */
  public IsalKernel() {
    memory = new NativeMemory();
    IsalLibrary.bind();
    scratch = ThreadLocal.withInitial(() -> new IsalScratch(memory));
    coefficientTables = ByteBuffer.allocateDirect(256 * IsalScratch.TABLE_BYTES);
    coefficientTablesAddress = memory.of(coefficientTables, 0);
    ByteBuffer one = ByteBuffer.allocateDirect(1);
    for (int c = 0; c < 256; c++) {
      one.put(0, (byte) c);
      IsalLibrary.ec_init_tables(1, 1, memory.of(one, 0), tableOf(c));
    }
    Reference.reachabilityFence(one);
  }

  @Override
  public String name() {
    return "isal";
  }

  @Override
  public KernelProgram prepare(int rows, int columns, int scratchColumns, List<ElementSum> sums) {
    return new IsalProgram(this, new IsalPlan(this, rows, columns, scratchColumns, sums));
  }

  NativeMemory memory() {
    return memory;
  }

  /** That of this thread. */
  IsalScratch scratch() {
    return scratch.get();
  }

  /**
   * Expands coefficients.
   *
   * @param coefficients one row an output, {@code inputs} each
   * @param expanded direct buffer of {@link IsalScratch#TABLE_BYTES} for each of them
   * @return its address; the caller keeps it reachable
   */
  long expand(byte[] coefficients, int inputs, ByteBuffer expanded) {
    Checks.range(
        "expand coefficients",
        0,
        (long) coefficients.length * IsalScratch.TABLE_BYTES,
        expanded.capacity());
    ByteBuffer direct = ByteBuffer.allocateDirect(coefficients.length).put(0, coefficients);
    long address = memory.of(expanded, 0);
    IsalLibrary.ec_init_tables(inputs, coefficients.length / inputs, memory.of(direct, 0), address);
    Reference.reachabilityFence(direct);
    Reference.reachabilityFence(expanded);
    return address;
  }

  private long tableOf(int coefficient) {
    return coefficientTablesAddress + (long) coefficient * IsalScratch.TABLE_BYTES;
  }

  @Override
  public void xor(ByteBuffer dst, ByteBuffer src) {
    int length = KernelChecks.pair(dst, src);
    if (length < XOR_MIN_NATIVE_BYTES || !dst.isDirect() || !src.isDirect()) {
      // On heap arrays the JIT compiler's loop beats two copies and a call.
      JavaXor.xor(dst, src);
      return;
    }
    long dstAddress = memory.of(dst, dst.position());
    long srcAddress = memory.of(src, src.position());
    int head = (int) (-dstAddress & (XOR_ALIGNMENT - 1));
    if (((srcAddress + head) & (XOR_ALIGNMENT - 1)) == 0) {
      if (head > 0) {
        JavaXor.xor(dst.slice(dst.position(), head), src.slice(src.position(), head));
      }
      xorAligned(dstAddress + head, srcAddress + head, length - head);
    } else {
      addProduct(1, length, srcAddress, dstAddress);
    }
    Reference.reachabilityFence(dst);
    Reference.reachabilityFence(src);
  }

  private void xorAligned(long dstAddress, long srcAddress, int length) {
    IsalScratch own = scratch.get();
    memory.putAddress(own.inputs, dstAddress);
    memory.putAddress(own.inputs + Long.BYTES, srcAddress);
    memory.putAddress(own.inputs + 2 * Long.BYTES, dstAddress);
    xorAligned(3, length, own.inputs);
  }

  /**
   * Sets the last of some buffers to the XOR of the others.
   *
   * @param addresses array of pointers, each a multiple of {@link #XOR_ALIGNMENT}
   */
  void xorAligned(int vectors, int length, long addresses) {
    int result = IsalLibrary.xor_gen(vectors, length, addresses);
    if (result != 0) {
      throw new IllegalStateException("Cannot xor by ISA-L: xor_gen=" + result + ", expected 0");
    }
  }

  @Override
  public void multiplyAdd(int coefficient, ByteBuffer src, ByteBuffer dst) {
    KernelChecks.coefficient(coefficient);
    if (coefficient == 1) {
      xor(dst, src);
      return;
    }
    int length = KernelChecks.pair(dst, src);
    if (length == 0 || coefficient == 0) {
      return;
    }
    if (src.isDirect() && dst.isDirect()) {
      addProduct(
          coefficient, length, memory.of(src, src.position()), memory.of(dst, dst.position()));
      Reference.reachabilityFence(src);
      Reference.reachabilityFence(dst);
    } else {
      updateCopied(null, coefficient, src, new ByteBuffer[] {dst}, length);
    }
  }

  private void addProduct(int coefficient, int length, long srcAddress, long dstAddress) {
    IsalScratch own = scratch.get();
    memory.putAddress(own.outputs, dstAddress);
    IsalLibrary.ec_encode_data_update(
        length, 1, 1, 0, tableOf(coefficient), srcAddress, own.outputs);
  }

  @Override
  public void encode(byte[] matrix, ByteBuffer[] inputs, ByteBuffer[] outputs) {
    int length = KernelChecks.encode(matrix, inputs, outputs);
    if (length == 0) {
      return;
    }
    IsalScratch own = scratch.get();
    own.reserve(inputs.length, outputs.length);
    own.prepareTables(matrix, inputs.length, outputs.length);
    if (allDirect(inputs) && allDirect(outputs)) {
      own.putAddresses(own.inputs, inputs);
      own.putAddresses(own.outputs, outputs);
      IsalLibrary.ec_encode_data(
          length, inputs.length, outputs.length, own.tables, own.inputs, own.outputs);
      Reference.reachabilityFence(inputs);
      Reference.reachabilityFence(outputs);
    } else {
      encodeCopied(own, inputs, outputs, length);
    }
  }

  private void encodeCopied(
      IsalScratch own, ByteBuffer[] inputs, ByteBuffer[] outputs, int length) {
    int units = inputs.length + outputs.length;
    own.reserveBlocks(units);
    own.putBlockAddresses(own.inputs, 0, inputs.length);
    own.putBlockAddresses(own.outputs, inputs.length, outputs.length);
    for (int done = 0; done < length; done += IsalScratch.BLOCK_BYTES) {
      int bytes = Math.min(IsalScratch.BLOCK_BYTES, length - done);
      for (int in = 0; in < inputs.length; in++) {
        own.copyIn(in, inputs[in], done, bytes);
      }
      IsalLibrary.ec_encode_data(
          bytes, inputs.length, outputs.length, own.tables, own.inputs, own.outputs);
      for (int out = 0; out < outputs.length; out++) {
        own.copyOut(inputs.length + out, outputs[out], done, bytes);
      }
    }
  }

  @Override
  public void update(byte[] column, ByteBuffer delta, ByteBuffer[] outputs) {
    int length = KernelChecks.update(column, delta, outputs);
    if (length == 0) {
      return;
    }
    if (delta.isDirect() && allDirect(outputs)) {
      IsalScratch own = scratch.get();
      own.reserve(1, outputs.length);
      own.prepareTables(column, 1, outputs.length);
      own.putAddresses(own.outputs, outputs);
      IsalLibrary.ec_encode_data_update(
          length,
          1,
          outputs.length,
          0,
          own.tables,
          memory.of(delta, delta.position()),
          own.outputs);
      Reference.reachabilityFence(delta);
      Reference.reachabilityFence(outputs);
    } else {
      updateCopied(column, 0, delta, outputs, length);
    }
  }

  /**
   * Update through scratch, by a column of coefficients or, where that is null, by a single one.
   */
  private void updateCopied(
      byte @Nullable [] column, int single, ByteBuffer delta, ByteBuffer[] outputs, int length) {
    IsalScratch own = scratch.get();
    own.reserve(1, outputs.length);
    long tables = tableOf(single);
    if (column != null) {
      own.prepareTables(column, 1, outputs.length);
      tables = own.tables;
    }
    own.reserveBlocks(1 + outputs.length);
    own.putBlockAddresses(own.outputs, 1, outputs.length);
    for (int done = 0; done < length; done += IsalScratch.BLOCK_BYTES) {
      int bytes = Math.min(IsalScratch.BLOCK_BYTES, length - done);
      own.copyIn(0, delta, done, bytes);
      for (int out = 0; out < outputs.length; out++) {
        own.copyIn(1 + out, outputs[out], done, bytes);
      }
      IsalLibrary.ec_encode_data_update(
          bytes, 1, outputs.length, 0, tables, own.blockAddress(0), own.outputs);
      for (int out = 0; out < outputs.length; out++) {
        own.copyOut(1 + out, outputs[out], done, bytes);
      }
    }
  }

  private static boolean allDirect(ByteBuffer[] buffers) {
    for (ByteBuffer buffer : buffers) {
      if (!buffer.isDirect()) {
        return false;
      }
    }
    return true;
  }
}
