/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.mapping;

import io.hdfsparity.core.check.Checks;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a file lies in HDFS: what a scheme of the paper becomes there. */
public sealed interface StorageForm {
  /** Losses of a node, or of a disk, at one time that lose no data. */
  int tolerated();

  /**
   * Bytes on disks.
   *
   * @param lengthBytes of the file
   * @param blockBytes of its internal blocks
   */
  long rawBytes(long lengthBytes, long blockBytes);

  /** As written in a rule table. */
  String text();

  /** Copies of every block. */
  record Replicated(int copies) implements StorageForm {
    /** Maximum that HDFS's default of dfs.replication.max allows. */
    public static final int MAX_COPIES = 512;

    public Replicated {
      Checks.argument(
          copies >= 1 && copies <= MAX_COPIES,
          "define a storage form",
          "copies",
          copies,
          "1 to " + MAX_COPIES);
    }

    @Override
    public int tolerated() {
      return copies - 1;
    }

    @Override
    public long rawBytes(long lengthBytes, long blockBytes) {
      return Math.multiplyExact(lengthBytes, (long) copies);
    }

    @Override
    public String text() {
      return "replication " + copies;
    }
  }

  /**
   * Two copies and intra-disk parity, on a cluster whose placement policy is that of RAIDP. The
   * parity lies in Lstors of a fixed size, which no file is charged for.
   */
  record Raidp() implements StorageForm {
    @Override
    public int tolerated() {
      return 2;
    }

    @Override
    public long rawBytes(long lengthBytes, long blockBytes) {
      return Math.multiplyExact(lengthBytes, 2L);
    }

    @Override
    public String text() {
      return "raidp";
    }
  }

  /**
   * An erasure coding policy of HDFS.
   *
   * @param policy its name
   * @param codec of the policy, in the upper case of its name
   * @param data k
   * @param parity r
   * @param cellBytes of a cell
   */
  record Coded(String policy, String codec, int data, int parity, int cellBytes)
      implements StorageForm {
    private static final Pattern NAME =
        Pattern.compile(
            "([A-Za-z]+(?:-[A-Za-z]+)?)-([1-9][0-9]?)-([1-9][0-9]?)-([1-9][0-9]{0,6})k");

    /** The form of a policy of HDFS, which names them CODEC-k-r-CELLk; empty for another name. */
    public static Optional<Coded> ofPolicy(String name) {
      Matcher m = NAME.matcher(name);
      return m.matches()
          ? Optional.of(
              new Coded(
                  name,
                  m.group(1).toUpperCase(java.util.Locale.ROOT),
                  Integer.parseInt(m.group(2)),
                  Integer.parseInt(m.group(3)),
                  Integer.parseInt(m.group(4)) * 1024))
          : Optional.empty();
    }

    @Override
    public int tolerated() {
      return parity;
    }

    /**
     * As StripedBlockUtil.spaceConsumedByStripedBlock, over all block groups: in each the parity
     * blocks are as long as the longest data block.
     */
    @Override
    public long rawBytes(long lengthBytes, long blockBytes) {
      long groupBytes = blockBytes * data;
      long full = lengthBytes / groupBytes;
      return lengthBytes + parity * (full * blockBytes + parityBytes(lengthBytes % groupBytes));
    }

    private long parityBytes(long groupBytes) {
      long stripeBytes = (long) data * cellBytes;
      return groupBytes / stripeBytes * cellBytes + Math.min(groupBytes % stripeBytes, cellBytes);
    }

    @Override
    public String text() {
      return "ec " + policy;
    }

    /** Whether a file goes from one to the other by parity blocks alone. */
    public boolean differsInLevelOnly(Coded other) {
      return codec.equals(other.codec)
          && (codec.equals("IZS") || codec.equals("RS"))
          && data == other.data
          && cellBytes == other.cellBytes
          && parity != other.parity;
    }
  }
}
