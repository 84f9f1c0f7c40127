/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.Kernels;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The parity code of a codec, asked of the coder that HDFS itself would encode with: parity that is
 * made by it is what readers of the codec decode. Nothing is taken from the codec's name.
 *
 * <p>Codes that are recognized: each byte of parity depends on one byte of each data unit, times a
 * coefficient that is one for the unit, at the place that a {@link RowMap} says. Its number of rows
 * is tried, from 1 on in powers of two. For each the coder encodes codewords of one byte a row, in
 * which a single byte is not zero, and tells what becomes of it. What was learned so must then give
 * the coder's own parity for random data, of many lengths.
 *
 * <p>Not thread-safe.
 */
public final class CoderProbe implements AutoCloseable {
  /** Codewords of all lengths up to this many times the rows are tried. */
  private static final int SHORT_TIMES = 4;

  private static final int PROBE_BYTES = 4096;

  /** Longest codeword that is tried: who asks for a code need not be trusted. */
  private static final int MAX_BYTES = 1 << 20;

  private static final long SEED = 7;

  private final String codec;
  private final int dataUnits;
  private final int parityUnits;
  private final Encoder encoder;

  /** The coder that is asked. */
  public interface Encoder extends AutoCloseable {
    /**
     * Encodes one codeword.
     *
     * @param data the data units, of one length; may be overwritten
     * @param parity takes the parity units, of the same length
     * @throws IOException if the coder fails
     * @throws RuntimeException if the coder refuses the length
     */
    void encode(byte[][] data, byte[][] parity) throws IOException;

    @Override
    void close();
  }

  /**
   * Asks a coder.
   *
   * @param codec its name, for messages
   * @param encoder closed with this
   */
  public CoderProbe(String codec, int dataUnits, int parityUnits, Encoder encoder) {
    this.codec = codec;
    this.dataUnits = dataUnits;
    this.parityUnits = parityUnits;
    this.encoder = encoder;
  }

  /**
   * The code.
   *
   * @param cellBytes longest codeword there will be; tried if bytes move, up to 1 MB
   * @throws IOException if it is none of those that are recognized
   */
  public CodeTable learn(int cellBytes) throws IOException {
    for (int rows = 1; rows <= Math.min(RowMap.MAX_ROWS, cellBytes); rows *= 2) {
      Optional<CodeTable> table = ofSingleBytes(rows);
      if (table.isPresent() && isOfAll(table.get(), lengths(rows, cellBytes))) {
        return table.get();
      }
    }
    throw refusal("one whose parity bytes depend on one byte of each data unit, as rs or izs");
  }

  /**
   * Sees to it that codewords of a length are coded as learned. Where bytes do not move that is so
   * for all.
   *
   * @throws IOException if they are not, or they are longer than 1 MB
   */
  public void require(CodeTable table, int codewordBytes) throws IOException {
    if (table.rowMap().isPlain()) {
      return;
    }
    if (codewordBytes > MAX_BYTES || !isOf(table, codewordBytes)) {
      throw refusal("one that codes " + codewordBytes + " bytes as it does others");
    }
  }

  private IOException refusal(String expected) {
    return new IOException(
        ErrorMessage.to("update in place")
            .value("codec", codec)
            .expected(expected + "; write the file again under such a policy")
            .message());
  }

  private static SortedSet<Integer> lengths(int rows, int cellBytes) {
    SortedSet<Integer> lengths = new TreeSet<>();
    for (int i = 1; i <= SHORT_TIMES * rows; i++) {
      lengths.add(i);
      lengths.add(PROBE_BYTES + i);
    }
    lengths.add(PROBE_BYTES);
    if (rows > 1) {
      lengths.add(Math.min(cellBytes, MAX_BYTES));
    }
    return new TreeSet<>(lengths.headSet(cellBytes + 1));
  }

  /** What becomes of single bytes; empty if it is not what a code of so many rows makes of them. */
  private Optional<CodeTable> ofSingleBytes(int rows) throws IOException {
    byte[] coefficients = new byte[parityUnits * dataUnits];
    byte[] targets = new byte[parityUnits * dataUnits * rows];
    for (int unit = 0; unit < dataUnits; unit++) {
      for (int row = 0; row < rows; row++) {
        byte[][] data = new byte[dataUnits][rows];
        data[unit][row] = 1;
        byte[][] parity = encode(data);
        for (int p = 0; p < parityUnits; p++) {
          int at = p * dataUnits + unit;
          int target = placeOf(parity[p]);
          if (target < 0 || row > 0 && parity[p][target] != coefficients[at]) {
            return Optional.empty();
          }
          coefficients[at] = parity[p][target];
          targets[at * rows + row] = (byte) target;
        }
      }
    }
    try {
      return Optional.of(
          new CodeTable(
              GfMatrix.of(parityUnits, dataUnits, coefficients),
              RowMap.of(parityUnits, dataUnits, rows, targets)));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // two rows go to one
    }
  }

  /** Index of the one byte that is not zero; -1 if there is none or more. */
  private static int placeOf(byte[] bytes) {
    int place = -1;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != 0) {
        if (place >= 0) {
          return -1;
        }
        place = i;
      }
    }
    return place;
  }

  private boolean isOfAll(CodeTable table, SortedSet<Integer> lengths) throws IOException {
    for (int length : lengths) {
      if (!isOf(table, length)) {
        return false;
      }
    }
    return true;
  }

  /** Whether random data are coded so. */
  private boolean isOf(CodeTable table, int codewordBytes) throws IOException {
    byte[][] data = new byte[dataUnits][codewordBytes];
    Random random = new Random(SEED + codewordBytes);
    List<Bytes> ours = new ArrayList<>();
    for (byte[] unit : data) {
      random.nextBytes(unit);
      ours.add(Bytes.copyOf(unit));
    }
    byte[][] theirs = encode(data);
    List<Bytes> all = new StripeCode(Kernels.best(), table).forCodeword(codewordBytes).encode(ours);
    for (int p = 0; p < parityUnits; p++) {
      if (!all.get(dataUnits + p).equals(Bytes.wrap(theirs[p]))) {
        return false;
      }
    }
    return true;
  }

  private byte[][] encode(byte[][] data) throws IOException {
    byte[][] parity = new byte[parityUnits][data[0].length];
    try {
      encoder.encode(data, parity);
    } catch (RuntimeException e) {
      throw new IOException(
          ErrorMessage.to("update in place")
              .value("codec", codec)
              .expected("one that encodes any " + data[0].length + " bytes, as rs")
              .message(),
          e);
    }
    return parity;
  }

  @Override
  public void close() {
    encoder.close();
  }
}
