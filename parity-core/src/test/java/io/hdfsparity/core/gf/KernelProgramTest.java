/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs of sums against the same sums byte by byte, and what must be refused. */
class KernelProgramTest {
  private static final int GUARD_BYTES = 64;

  /** Those of this machine; KernelsTest fails where a native one is required and missing. */
  static List<ProgramKernel> kernels() {
    return Kernels.table().supported().stream()
        .filter(ProgramKernel.class::isInstance)
        .map(ProgramKernel.class::cast)
        .toList();
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("kernels")
  void programsDoWhatTheirSumsSay(ProgramKernel kernel) {
    SeededRuns.of(100).check(random -> new Case(random).check(kernel));
  }

  /** Each row is made of the one before it, so that they cannot be done in one go. */
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("kernels")
  void rowsThatDependOnEachOtherAreDoneOneByOne(ProgramKernel kernel) {
    List<ElementSum> sums = new ArrayList<>();
    for (int row = 0; row < 3; row++) {
      sums.add(new ElementSum(new byte[] {1, 1}, new int[] {row, 4 + row}, new int[] {row + 1}));
    }
    ByteBuffer[] columns = {direct(256), direct(256)};
    byte[] expected = bytes(columns[0]);
    byte[] added = bytes(columns[1]);
    for (int at = 64; at < 256; at++) {
      expected[at] = (byte) (expected[at - 64] ^ added[at - 64]);
    }
    kernel.prepare(4, 2, 0, sums).run(columns, new int[2], 64);
    assertThat(bytes(columns[0])).isEqualTo(expected);
    assertThat(bytes(columns[1])).isEqualTo(added);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("kernels")
  void wrongSizesAreRefusedBeforeAnyByteIsWritten(ProgramKernel kernel) {
    KernelProgram program = twoRowsAddedUp(kernel);
    ByteBuffer[] columns = {direct(64), direct(64), direct(64)};
    byte[] before = bytes(columns[2]);
    for (int rowBytes : new int[] {33, 1 << 30, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> program.run(columns, new int[3], rowBytes))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage(
              "Cannot run a program: offset=0, lengthBytes=%d, expected a range inside sizeBytes=64"
                  .formatted(2L * rowBytes));
    }
    for (int offset : new int[] {-1, 1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> program.run(columns, new int[] {0, offset, 0}, 32))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageStartingWith("Cannot run a program: offset=" + offset);
    }
    assertThatThrownBy(() -> program.run(columns, new int[3], -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot run a program: rowBytes=-1, expected >= 0");
    assertThatThrownBy(() -> program.run(new ByteBuffer[2], new int[3], 32))
        .hasMessage("Cannot run a program: columns.length=2, expected >= 3");
    assertThatThrownBy(() -> program.run(columns, new int[2], 32))
        .hasMessage("Cannot run a program: baseOffsets.length=2, expected >= 3");
    columns[1].limit(63);
    assertThatThrownBy(() -> program.run(columns, new int[3], 32))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageEndingWith("expected a range inside sizeBytes=63");
    assertThat(bytes(columns[2])).isEqualTo(before);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("kernels")
  void buffersThatNativeCodeCannotUseAreRefused(ProgramKernel kernel) {
    KernelProgram program = twoRowsAddedUp(kernel);
    ByteBuffer heap = ByteBuffer.allocate(64);
    for (int column = 0; column < 3; column++) {
      ByteBuffer[] columns = {direct(64), direct(64), direct(64)};
      columns[column] = heap;
      assertThatThrownBy(() -> program.run(columns, new int[3], 32))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot run a program: column=" + column + ", buffer=");
      columns[column] = null;
      assertThatThrownBy(() -> program.run(columns, new int[3], 32))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Cannot run a program: column="
                  + column
                  + ", buffer=missing, expected a direct buffer");
    }
    ByteBuffer[] readOnly = {direct(64), direct(64), direct(64).asReadOnlyBuffer()};
    assertThatThrownBy(() -> program.run(readOnly, new int[3], 32))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("expected direct and writable");
    ByteBuffer[] readOnlySource = {direct(64).asReadOnlyBuffer(), direct(64), direct(64)};
    program.run(readOnlySource, new int[3], 32);
    assertThat(bytes(readOnlySource[2])).isEqualTo(xor(readOnlySource[0], readOnlySource[1]));
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("kernels")
  void programsThatLeaveTheirColumnsAreNotMade(ProgramKernel kernel) {
    ElementSum sum = new ElementSum(new byte[] {1, 1}, new int[] {0, 1}, new int[] {5});
    assertThatThrownBy(() -> kernel.prepare(1, 3, 2, List.of(sum)))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageStartingWith("Cannot prepare a program: element=5");
    ElementSum negative = new ElementSum(new byte[] {1, 1}, new int[] {-1, 1}, new int[] {2});
    assertThatThrownBy(() -> kernel.prepare(1, 3, 0, List.of(negative)))
        .isInstanceOf(IndexOutOfBoundsException.class);
    for (int rows : new int[] {-1, 0, 257, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> kernel.prepare(rows, 3, 0, List.of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Cannot prepare a program: rows=" + rows + ", expected 1..256");
    }
    assertThatThrownBy(() -> kernel.prepare(1, Integer.MAX_VALUE, 0, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> kernel.prepare(1, 1, Integer.MAX_VALUE, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ElementSum(new byte[] {1, 1}, new int[] {0, 1}, new int[] {1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot make a sum of elements: target=1, expected none of the sources");
    assertThatThrownBy(() -> new ElementSum(new byte[] {1}, new int[] {0, 1}, new int[] {2}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot make a sum of elements: matrix.length=1");
  }

  /** Column 2 is the sum of columns 0 and 1, in both rows. */
  private static KernelProgram twoRowsAddedUp(ProgramKernel kernel) {
    List<ElementSum> sums = new ArrayList<>();
    for (int row = 0; row < 2; row++) {
      sums.add(new ElementSum(new byte[] {1, 1}, new int[] {row, 2 + row}, new int[] {4 + row}));
    }
    return kernel.prepare(2, 3, 0, sums);
  }

  private static ByteBuffer direct(int bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes + 64).alignedSlice(64).limit(bytes);
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return buffer.put(0, content).slice();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.capacity()];
    buffer.duplicate().clear().get(bytes);
    return bytes;
  }

  private static byte[] xor(ByteBuffer one, ByteBuffer other) {
    byte[] sum = bytes(one);
    byte[] more = bytes(other);
    for (int i = 0; i < sum.length; i++) {
      sum[i] ^= more[i];
    }
    return sum;
  }

  /** A program and its columns, with bytes around them that nothing may touch. */
  private static final class Case {
    private final Random random;
    private final int rows;
    private final int columns;
    private final int scratchColumns;
    private final int rowBytes;
    private final List<ElementSum> sums = new ArrayList<>();
    private final ByteBuffer[] buffers;
    private final int[] offsets;

    Case(Random random) {
      this.random = random;
      rows = 1 << random.nextInt(4);
      columns = 3 + random.nextInt(4);
      scratchColumns = random.nextInt(3);
      int[] lengths = {
        1 + random.nextInt(100),
        32 * (1 + random.nextInt(300)),
        4096,
        256 * 1024 + 32 * random.nextInt(8000),
        257 * 1024 + random.nextInt(2000)
      };
      rowBytes = lengths[random.nextInt(lengths.length)];
      // What scratch holds at first is not defined, so it is set before it is read.
      for (int element = rows * columns; element < elements(); element++) {
        byte[] one = {(byte) (1 + random.nextInt(2))};
        int source = random.nextInt(rows * columns);
        sums.add(new ElementSum(one, new int[] {source}, new int[] {element}));
      }
      for (int i = 1 + random.nextInt(6); i > 0; i--) {
        addSums();
      }
      offsets = random.ints(columns, 0, 3).map(some -> some * 32).toArray();
      buffers = new ByteBuffer[columns];
      int[] misplacements = {0, 16, 8, random.nextInt(64)};
      int common = misplacements[random.nextInt(misplacements.length)];
      for (int column = 0; column < columns; column++) {
        int own = random.nextInt(8) == 0 ? random.nextInt(64) : common;
        buffers[column] = buffer(own, offsets[column]);
      }
    }

    private int elements() {
      return rows * (columns + scratchColumns);
    }

    /** The same with each row, as codes do; or any one sum. */
    private void addSums() {
      int sourceCount = 1 + random.nextInt(4);
      int targetCount = 1 + random.nextInt(2);
      byte[] matrix = new byte[sourceCount * targetCount];
      for (int i = 0; i < matrix.length; i++) {
        matrix[i] = (byte) (random.nextInt(3) == 0 ? random.nextInt(256) : 1);
      }
      int[] places = random.ints(0, columns + scratchColumns).distinct().limit(3).toArray();
      int[] shifts = random.ints(sourceCount + targetCount, 0, rows).toArray();
      boolean isRepeated = random.nextInt(3) > 0;
      for (int row = 0; row < (isRepeated ? rows : 1); row++) {
        int[] sources = new int[sourceCount];
        for (int i = 0; i < sourceCount; i++) {
          sources[i] = places[i % 2] * rows + (row ^ shifts[i]);
        }
        int[] targets = new int[targetCount];
        for (int i = 0; i < targetCount; i++) {
          // A later target of the same call may not be the earlier one.
          targets[i] = places[2] * rows + (rows == 1 ? 0 : (row ^ shifts[sourceCount] ^ i));
        }
        if (targetCount == 1 || rows > 1) {
          sums.add(new ElementSum(matrix, sources, targets));
        }
      }
    }

    private ByteBuffer buffer(int misplacement, int offset) {
      int bytes = GUARD_BYTES + misplacement + offset + rows * rowBytes;
      ByteBuffer whole = ByteBuffer.allocateDirect(bytes + 3 * GUARD_BYTES).alignedSlice(64);
      byte[] content = new byte[whole.capacity()];
      random.nextBytes(content);
      whole.put(0, content);
      return whole.position(GUARD_BYTES + misplacement).limit(bytes);
    }

    void check(ProgramKernel kernel) {
      byte[][] expected = new byte[columns + scratchColumns][rows * rowBytes];
      for (int column = 0; column < columns; column++) {
        buffers[column].get(buffers[column].position() + offsets[column], expected[column]);
      }
      for (ElementSum sum : sums) {
        add(sum, expected);
      }
      byte[][] all = new byte[columns][];
      for (int column = 0; column < columns; column++) {
        all[column] = bytes(buffers[column]);
        int at = buffers[column].position() + offsets[column];
        System.arraycopy(expected[column], 0, all[column], at, expected[column].length);
      }
      kernel.prepare(rows, columns, scratchColumns, sums).run(buffers, offsets, rowBytes);
      for (int column = 0; column < columns; column++) {
        assertThat(Arrays.mismatch(bytes(buffers[column]), all[column]))
            .as("first wrong byte of column %d, -1 is none", column)
            .isEqualTo(-1);
      }
    }

    private void add(ElementSum sum, byte[][] expected) {
      byte[][] results = new byte[sum.targetCount()][rowBytes];
      for (int target = 0; target < results.length; target++) {
        for (int i = 0; i < sum.sourceCount(); i++) {
          int source = sum.source(i);
          int coefficient = sum.coefficient(target, i);
          byte[] products = new byte[256];
          for (int value = 0; value < 256; value++) {
            products[value] = (byte) Gf256.multiply(coefficient, value);
          }
          byte[] column = expected[source / rows];
          int from = source % rows * rowBytes;
          for (int at = 0; at < rowBytes; at++) {
            results[target][at] ^= products[column[from + at] & 0xff];
          }
        }
      }
      for (int i = 0; i < results.length; i++) {
        int target = sum.target(i);
        System.arraycopy(
            results[i], 0, expected[target / rows], target % rows * rowBytes, rowBytes);
      }
    }
  }
}
