/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.gf.Gf256;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.core.gf.ScalarKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Codes whose rows move, against a twin that goes byte by byte. */
class MovedStripeCodeTest {
  private static final int MAX_CELL_BYTES = 200;

  /** A code, the length of a codeword of it, and blocks of a cell. */
  private static final class Stripe {
    final Random random;
    final Shape shape;
    final int rows;
    final int cellBytes;
    final int codewordBytes;
    final CodeTable table;
    final StripeCode code;
    final List<Bytes> data = new ArrayList<>();

    Stripe(Random random, boolean isDecodable) {
      this.random = random;
      int k = 2 + random.nextInt(5);
      shape = new Shape(k, 1 + random.nextInt(Math.min(k, 3)));
      rows = 2 << random.nextInt(3);
      cellBytes = 1 + random.nextInt(MAX_CELL_BYTES);
      codewordBytes = 1 + random.nextInt(cellBytes);
      table =
          new CodeTable(
              GfMatrix.cauchyParity(k, shape.parityBlocks()),
              isDecodable
                  ? MovedRows.shifted(shape, rows, random)
                  : MovedRows.shuffled(shape, rows, random));
      code =
          new StripeCode(random.nextBoolean() ? new ScalarKernel() : Kernels.best(), table)
              .forCodeword(codewordBytes);
      int present = codewordBytes; // cells behind the first may be shorter
      for (int block = 0; block < k; block++) {
        byte[] cell = new byte[cellBytes];
        for (int i = 0; i < present; i++) {
          cell[i] = (byte) random.nextInt();
        }
        data.add(Bytes.wrap(cell));
        present = random.nextInt(4) == 0 ? random.nextInt(present + 1) : present;
      }
    }

    /** Byte by byte, as the page on the format says it. */
    List<Bytes> twin() {
      List<Bytes> all = new ArrayList<>(data);
      int rowBytes = codewordBytes / rows;
      for (int parity = 0; parity < shape.parityBlocks(); parity++) {
        byte[] cell = new byte[cellBytes];
        for (int block = 0; block < shape.dataBlocks(); block++) {
          for (int at = 0; at < codewordBytes; at++) {
            boolean isTail = at >= rowBytes * rows;
            int to =
                isTail
                    ? at
                    : table.rowMap().target(parity, block, at / rowBytes) * rowBytes
                        + at % rowBytes;
            cell[to] ^=
                (byte)
                    Gf256.multiply(table.coefficients().at(parity, block), data.get(block).at(at));
          }
        }
        all.add(Bytes.wrap(cell));
      }
      return all;
    }

    Patch randomPatch() {
      int offset = random.nextInt(codewordBytes);
      byte[] bytes = new byte[1 + random.nextInt(codewordBytes - offset)];
      random.nextBytes(bytes);
      return new Patch(offset, Bytes.wrap(bytes));
    }
  }

  private static Bytes plus(Bytes block, Patch delta) {
    byte[] bytes = block.toArray();
    for (int i = 0; i < delta.bytes().length(); i++) {
      bytes[delta.offset() + i] ^= (byte) delta.bytes().at(i);
    }
    return Bytes.wrap(bytes);
  }

  @Test
  void parityIsThatOfTheTwin() {
    SeededRuns.of(500)
        .check(
            random -> {
              Stripe stripe = new Stripe(random, /* isDecodable= */ false);
              assertThat(stripe.code.encode(stripe.data)).isEqualTo(stripe.twin());
            });
  }

  @Test
  void aChangeOfADataBlockBringsParityUpToDate() {
    SeededRuns.of(500)
        .check(
            random -> {
              Stripe stripe = new Stripe(random, /* isDecodable= */ false);
              List<Bytes> all = new ArrayList<>(stripe.twin());
              for (int i = 0; i < 5; i++) {
                int block = random.nextInt(stripe.shape.dataBlocks());
                Patch delta = stripe.randomPatch();
                stripe.data.set(block, plus(stripe.data.get(block), delta));
                all.set(block, stripe.data.get(block));
                for (int p = stripe.shape.dataBlocks(); p < stripe.shape.blocks(); p++) {
                  Patch change = stripe.code.change(p, block, delta);
                  assertThat(change.end()).isLessThanOrEqualTo(stripe.codewordBytes);
                  all.set(p, plus(all.get(p), change));
                }
              }
              assertThat(all).isEqualTo(stripe.twin());
            });
  }

  @Test
  void anyBlocksThatAreEnoughGiveAll() {
    SeededRuns.of(60)
        .check(
            random -> {
              Stripe stripe = new Stripe(random, /* isDecodable= */ true);
              List<Bytes> all = stripe.twin();
              int blocks = stripe.shape.blocks();
              for (int set = 0; set < 1 << blocks; set++) {
                TreeMap<Integer, Bytes> known = new TreeMap<>();
                for (int block = 0; block < blocks; block++) {
                  if ((set >> block & 1) == 1) {
                    known.put(block, all.get(block));
                  }
                }
                if (known.size() >= stripe.shape.dataBlocks()) {
                  assertThat(stripe.code.decode(known)).as("from " + known.keySet()).isEqualTo(all);
                } else {
                  assertThatThrownBy(() -> stripe.code.decode(known))
                      .isInstanceOf(InconsistentStripeException.class);
                }
              }
            });
  }

  @Test
  void blocksThatDoNotFitAreRefused() {
    SeededRuns.of(200)
        .check(
            random -> {
              Stripe stripe = new Stripe(random, /* isDecodable= */ true);
              TreeMap<Integer, Bytes> known = new TreeMap<>();
              List<Bytes> all = stripe.twin();
              for (int block = 0; block < all.size(); block++) {
                known.put(block, all.get(block));
              }
              int lost = random.nextInt(all.size());
              if (stripe.shape.parityBlocks() > 1) {
                known.remove(lost);
              }
              int wrong = (lost + 1) % all.size();
              byte[] one = new byte[1];
              one[0] = 1;
              known.put(
                  wrong,
                  plus(
                      all.get(wrong),
                      new Patch(random.nextInt(stripe.codewordBytes), Bytes.wrap(one))));
              assertThatThrownBy(() -> stripe.code.decode(known))
                  .isInstanceOf(InconsistentStripeException.class);
            });
  }

  /** Of a large cell, what is written in one tells no parity block of much more than it changes. */
  @Test
  void writesWhoseEndsGoFarFromEachOtherAreMadeInParts() {
    SeededRuns.of(100)
        .check(
            random -> {
              Shape shape = new Shape(4, 2);
              int codewordBytes = 100_000 + random.nextInt(1000);
              CodeTable table =
                  new CodeTable(GfMatrix.cauchyParity(4, 2), MovedRows.shifted(shape, 8, random));
              StripeCode code =
                  new StripeCode(new ScalarKernel(), table).forCodeword(codewordBytes);
              int lengthBytes = 1 + random.nextInt(random.nextBoolean() ? 100 : 60_000);
              int offset = random.nextInt(codewordBytes - lengthBytes + 1);
              byte[] bytes = new byte[lengthBytes];
              random.nextBytes(bytes);
              int block = random.nextInt(4);
              List<Patch> parts = code.parts(block, new Patch(offset, Bytes.wrap(bytes)));
              int at = offset;
              for (Patch part : parts) {
                assertThat(part.offset()).isEqualTo(at);
                assertThat(part.bytes())
                    .isEqualTo(Bytes.wrap(bytes).slice(at - offset, part.bytes().length()));
                at = part.end();
                for (int parity = 4; parity < 6; parity++) {
                  assertThat(code.change(parity, block, part).bytes().length())
                      .isLessThanOrEqualTo(
                          Math.max(2 * part.bytes().length(), part.bytes().length() + 4096));
                }
              }
              assertThat(at).isEqualTo(offset + lengthBytes);
            });
  }

  @Test
  void withoutTheCodewordNothingIsComputed() {
    StripeCode code =
        new StripeCode(
            new ScalarKernel(),
            new CodeTable(
                GfMatrix.cauchyParity(2, 2), MovedRows.shifted(new Shape(2, 2), 2, new Random(1))));
    assertThatThrownBy(() -> code.change(2, 0, new Patch(0, Bytes.zeros(1))))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> code.encode(List.of(Bytes.zeros(4), Bytes.zeros(4))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aMapIsOneToOne() {
    assertThatThrownBy(() -> RowMap.of(1, 2, 2, new byte[] {0, 1, 1, 1}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RowMap.of(1, 2, 2, new byte[] {0, 1, 1, 2}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RowMap.of(1, 2, 65, new byte[130]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void codesThatDifferHaveOtherChecksums() {
    GfMatrix coefficients = GfMatrix.cauchyParity(4, 2);
    Shape shape = new Shape(4, 2);
    CodeTable moved = new CodeTable(coefficients, MovedRows.shifted(shape, 8, new Random(1)));
    CodeTable other = new CodeTable(coefficients, MovedRows.shifted(shape, 8, new Random(2)));
    assertThat(moved.crc())
        .isNotEqualTo(other.crc())
        .isNotEqualTo(CodeTable.plain(coefficients).crc());
  }
}
