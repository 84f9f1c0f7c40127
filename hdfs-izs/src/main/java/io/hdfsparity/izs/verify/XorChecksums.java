/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import java.util.List;

/**
 * Checksum of a parity unit that is the XOR of the data units, from the checksums of the data
 * units: no byte of them is needed.
 *
 * <p>A CRC is affine over XOR. For byte strings of one length, {@code CRC(a ^ b) = CRC(a) ^ CRC(b)
 * ^ CRC(0)}, where 0 is a string of zeros of that length. Shorter data units count as filled up
 * with zeros, as in HDFS's encoding: {@code CRC(a | b) = CRC(a) * x^(8 * length of b) ^ CRC(b)},
 * modulo the CRC's polynomial. Immutable, thread-safe.
 */
public final class XorChecksums {
  /** The polynomial 1 in bit-reversed order. */
  private static final int ONE = 1 << 31;

  private static final int X8 = ONE >>> Byte.SIZE;

  private final Polynomial polynomial;

  /** Which CRC. */
  public enum Polynomial {
    CRC32(0xEDB88320, 0xD202EF8D),
    CRC32C(0x82F63B78, 0x527D5351);

    /** In bit-reversed order, without the highest term. */
    private final int bits;

    private final int crcOfZeroByte;

    Polynomial(int bits, int crcOfZeroByte) {
      this.bits = bits;
      this.crcOfZeroByte = crcOfZeroByte;
    }
  }

  /**
   * A unit's checksum.
   *
   * @param crc of all of its bytes
   * @param lengthBytes of the unit
   */
  public record UnitCrc(int crc, long lengthBytes) {}

  public XorChecksums(Polynomial polynomial) {
    this.polynomial = polynomial;
  }

  /**
   * Checksum of the XOR of all data units.
   *
   * @param data of units with at least a byte; those without count as zeros and may be left out
   * @param lengthBytes of the parity unit, no unit is longer
   */
  public int parity(List<UnitCrc> data, long lengthBytes) {
    int sum = data.size() % 2 == 0 ? zeros(lengthBytes) : 0;
    for (UnitCrc unit : data) {
      long missing = lengthBytes - unit.lengthBytes();
      if (missing < 0) {
        throw new IllegalArgumentException(
            "Cannot add up checksums: unitBytes="
                + unit.lengthBytes()
                + ", expected <= "
                + lengthBytes);
      }
      sum ^= append(unit.crc(), zeros(missing), missing);
    }
    return sum;
  }

  /** Checksum of so many zeros: by doubling. */
  int zeros(long lengthBytes) {
    int crc = 0;
    long power = 1;
    int powerCrc = polynomial.crcOfZeroByte;
    for (long left = lengthBytes; left > 0; left >>= 1) {
      if ((left & 1) != 0) {
        crc = append(crc, powerCrc, power);
      }
      powerCrc = append(powerCrc, powerCrc, power);
      power <<= 1;
    }
    return crc;
  }

  private int append(int before, int after, long afterBytes) {
    int factor = ONE;
    int square = X8;
    for (long left = afterBytes; left > 0; left >>= 1) {
      if ((left & 1) != 0) {
        factor = multiply(factor, square);
      }
      square = multiply(square, square);
    }
    return multiply(before, factor) ^ after;
  }

  private int multiply(int a, int b) {
    int product = 0;
    int shifted = b;
    for (int bit = ONE; bit != 0; bit >>>= 1) {
      if ((a & bit) != 0) {
        product ^= shifted;
      }
      shifted = (shifted & 1) != 0 ? shifted >>> 1 ^ polynomial.bits : shifted >>> 1;
    }
    return product;
  }
}
