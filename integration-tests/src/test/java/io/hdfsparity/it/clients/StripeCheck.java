/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetTestUtil;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/** Compares the parity that a client has written with that of the file's codec, on the disks. */
final class StripeCheck {
  private final MiniDFSCluster cluster;

  StripeCheck(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  /** What is wrong with the parity of a file that nobody has updated; units that are away pass. */
  Optional<String> problem(String path) throws IOException {
    DistributedFileSystem fs = cluster.getFileSystem();
    ErasureCodingPolicy policy = fs.getErasureCodingPolicy(new org.apache.hadoop.fs.Path(path));
    for (LocatedBlock group :
        fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks()) {
      Optional<String> problem = problem((LocatedStripedBlock) group, policy);
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  private Optional<String> problem(LocatedStripedBlock group, ErasureCodingPolicy policy)
      throws IOException {
    int k = policy.getNumDataUnits();
    int m = policy.getNumParityUnits();
    int cell = policy.getCellSize();
    int unit = (int) StripedBlockUtil.getInternalBlockLength(group.getBlockSize(), cell, k, k);
    List<Optional<byte[]>> units = new ArrayList<>();
    for (int i = 0; i < k + m; i++) {
      boolean isEmpty =
          StripedBlockUtil.getInternalBlockLength(group.getBlockSize(), cell, k, i) == 0;
      units.add(isEmpty ? Optional.of(new byte[0]) : replica(group, policy, i));
    }
    if (units.subList(0, k).stream().anyMatch(Optional::isEmpty)) {
      return Optional.empty();
    }
    RawErasureEncoder encoder =
        CodecUtil.createRawEncoder(
            new Configuration(), policy.getCodecName(), new ErasureCoderOptions(k, m));
    try {
      for (int from = 0; from < unit; from += cell) {
        int length = Math.min(cell, unit - from);
        ByteBuffer[] data = new ByteBuffer[k];
        for (int i = 0; i < k; i++) {
          data[i] = ByteBuffer.wrap(part(units.get(i).orElseThrow(), from, length));
        }
        ByteBuffer[] parity = new ByteBuffer[m];
        Arrays.setAll(parity, i -> ByteBuffer.allocate(length));
        encoder.encode(data, parity);
        for (int i = 0; i < m; i++) {
          Optional<byte[]> there = units.get(k + i);
          if (there.isPresent()
              && !Arrays.equals(part(there.get(), from, length), parity[i].array())) {
            return Optional.of("parity unit " + i + " is not of codec " + policy.getCodecName());
          }
        }
      }
    } finally {
      encoder.release();
    }
    return Optional.empty();
  }

  private static byte[] part(byte[] unit, int from, int length) {
    return Arrays.copyOf(
        from >= unit.length
            ? new byte[0]
            : Arrays.copyOfRange(unit, from, Math.min(unit.length, from + length)),
        length);
  }

  private Optional<byte[]> replica(LocatedStripedBlock group, ErasureCodingPolicy policy, int index)
      throws IOException {
    ExtendedBlock block = StripedBlockUtil.constructInternalBlock(group.getBlock(), policy, index);
    for (DataNode node : cluster.getDataNodes()) {
      if (node.getFSDataset().contains(block)) {
        Path file =
            FsDatasetTestUtil.getFile(
                    node.getFSDataset(), block.getBlockPoolId(), block.getBlockId())
                .toPath();
        return Optional.of(Files.readAllBytes(file));
      }
    }
    return Optional.empty();
  }
}
