/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.CoderProbe;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.RowMap;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import io.hdfsparity.ecupdate.config.ConfiguredCoder;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.codec.ZigzagCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** What in-place updates take the codes of codec izs for, against that codec's own words. */
class IzsUpdateCodeTest {
  private static final int CELL_BYTES = 64 * 1024;

  /** What hdfs-izs says of a code. */
  static CodeTable table(ZigzagCode code) {
    int k = code.dataColumns();
    int r = code.parityColumns();
    boolean isPlain = true;
    byte[] coefficients = new byte[r * k];
    byte[] targets = new byte[r * k * code.rows()];
    for (int parity = 0; parity < r; parity++) {
      isPlain &= code.isRowwise(parity);
      for (int data = 0; data < k; data++) {
        coefficients[parity * k + data] = (byte) code.coefficient(parity, data, 0);
        for (int row = 0; row < code.rows(); row++) {
          targets[(parity * k + data) * code.rows() + row] =
              (byte) code.parityRow(parity, data, row);
        }
      }
    }
    return new CodeTable(
        GfMatrix.of(r, k, coefficients),
        isPlain ? RowMap.plain(r, k) : RowMap.of(r, k, code.rows(), targets));
  }

  @Test
  void theCoderTellsTheWholeCode() throws IOException {
    for (ZigzagCode code : IzsFamily.all()) {
      try (CoderProbe coder =
          ConfiguredCoder.probe(
              new Configuration(), "izs", code.dataColumns(), code.parityColumns())) {
        CodeTable learned = coder.learn(CELL_BYTES);
        assertThat(learned).as(code.name()).isEqualTo(table(code));
        coder.require(learned, 777);
      }
    }
  }

  /**
   * Codewords of any length, changed at random, decoded by the one from what the other has made.
   */
  @Test
  void changesAreThoseThatTheCodecMakes() {
    SeededRuns.of(120)
        .check(
            random -> {
              ZigzagCode code = IzsFamily.all().get(random.nextInt(IzsFamily.all().size()));
              IzsCodec codec = new IzsCodec(new ScalarKernel(), code);
              int k = code.dataColumns();
              int codewordBytes = 1 + random.nextInt(random.nextBoolean() ? 40 : 5000);
              StripeCode ours =
                  new StripeCode(new ScalarKernel(), table(code)).forCodeword(codewordBytes);
              byte[][] blocks = new byte[code.columns()][codewordBytes];
              for (int i = 0; i < 4; i++) {
                int block = random.nextInt(k);
                int offset = random.nextInt(codewordBytes);
                byte[] delta = new byte[1 + random.nextInt(codewordBytes - offset)];
                random.nextBytes(delta);
                Patch patch = new Patch(offset, Bytes.copyOf(delta));
                add(blocks[block], patch);
                for (int parity = k; parity < blocks.length; parity++) {
                  add(blocks[parity], ours.change(parity, block, patch));
                }
              }
              byte[][] theirs = new byte[code.parityColumns()][codewordBytes];
              codec.encode(wrap(blocks, 0, k), wrap(theirs, 0, theirs.length));
              List<Bytes> all = new ArrayList<>();
              for (int block = 0; block < blocks.length; block++) {
                all.add(Bytes.wrap(blocks[block]));
                if (block >= k) {
                  assertThat(blocks[block]).as(code.name()).isEqualTo(theirs[block - k]);
                }
              }
              TreeMap<Integer, Bytes> known = new TreeMap<>();
              for (int block = 0; block < blocks.length; block++) {
                known.put(block, all.get(block));
              }
              while (known.size() > k) {
                known.remove(random.nextInt(blocks.length));
              }
              assertThat(ours.decode(known)).as(known.keySet().toString()).isEqualTo(all);
            });
  }

  private static void add(byte[] block, Patch delta) {
    for (int i = 0; i < delta.bytes().length(); i++) {
      block[delta.offset() + i] ^= (byte) delta.bytes().at(i);
    }
  }

  private static ByteBuffer[] wrap(byte[][] blocks, int from, int count) {
    ByteBuffer[] wrapped = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      wrapped[i] = ByteBuffer.wrap(blocks[from + i]);
    }
    return wrapped;
  }
}
