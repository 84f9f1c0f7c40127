/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.SnapshotReads;
import io.hdfsparity.bridge.verify.UnitHolder;
import io.hdfsparity.bridge.wire.BlockChecksums.BlockCrc;
import io.hdfsparity.izs.apply.BytePacer;
import io.hdfsparity.izs.datanode.HelperConnection.Target;
import io.hdfsparity.izs.repair.GroupShape;
import io.hdfsparity.izs.verify.ColumnCode;
import io.hdfsparity.izs.verify.ParityCheck;
import io.hdfsparity.izs.verify.VerifyReads;
import io.hdfsparity.izs.verify.VerifyReads.Codeword;
import io.hdfsparity.izs.verify.VerifyReport;
import io.hdfsparity.izs.verify.VerifyReport.Finding;
import io.hdfsparity.izs.verify.XorChecksums;
import io.hdfsparity.izs.verify.XorChecksums.Polynomial;
import io.hdfsparity.izs.verify.XorChecksums.UnitCrc;
import io.hdfsparity.izs.wire.VerifyTask;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.DataChecksum;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the parity of one block group with its data: parity that is the XOR of the data by
 * checksums, which moves no data; other parity by samples, or byte by byte where that is asked for.
 * Used by one thread, once.
 */
final class GroupVerifier {
  private static final Logger LOG = LoggerFactory.getLogger(GroupVerifier.class);

  private final DataNode datanode;
  private final VerifyTask task;
  private final ColumnCode code;
  private final BytePacer pacer;
  private final RepairMetrics.Reads metrics;
  private final GroupShape shape;
  private final VerifyReads reads;
  private final Map<Integer, HelperConnection> connections = new TreeMap<>();
  private long readBytes;

  /** What checksums say of parity that is the XOR of the data. */
  private enum ByChecksums {
    /** All parity is of that kind, and fits. */
    ALL_FIT,
    /** Some is not of that kind; the others fit. */
    SOME_FIT,
    /** Some does not fit, or checksums do not tell. */
    UNKNOWN
  }

  /**
   * @param code of the task's codec
   * @param pacer of the node
   */
  GroupVerifier(
      DataNode datanode,
      VerifyTask task,
      ColumnCode code,
      BytePacer pacer,
      RepairMetrics.Reads metrics) {
    this.datanode = datanode;
    this.task = task;
    this.code = code;
    this.pacer = pacer;
    this.metrics = metrics;
    this.shape = task.shape();
    this.reads = new VerifyReads(shape, code.rows());
    for (UnitHolder each : task.holders()) {
      connections.put(each.unit(), new HelperConnection(datanode, target(each), metrics));
    }
  }

  private Target target(UnitHolder holder) {
    DatanodeInfo node =
        new DatanodeInfo.DatanodeInfoBuilder()
            .setNodeID(
                new DatanodeID(
                    holder.ipAddress(),
                    holder.hostName(),
                    holder.nodeUuid(),
                    holder.transferPort(),
                    /* infoPort= */ 0,
                    /* infoSecurePort= */ 0,
                    /* ipcPort= */ 0))
            .build();
    ExtendedBlock block =
        new ExtendedBlock(
            task.blockPool(),
            task.groupId() + holder.unit(),
            shape.blockBytes(holder.unit()),
            task.generation());
    boolean byName = datanode.getDnConf().getConnectToDnViaHostname();
    return new Target(
        holder.unit(),
        block,
        node,
        NetUtils.createSocketAddr(node.getXferAddr(byName)),
        ReadCaller.VERIFIER_CLIENT);
  }

  /**
   * Compares.
   *
   * @throws InterruptedIOException if the node is stopping
   */
  VerifyReport run() throws InterruptedIOException {
    try {
      return compare();
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw stopping();
      }
      LOG.debug("Block group {} cannot be verified", task.groupId(), e);
      String message = String.valueOf(e.getMessage());
      return report(
          message.contains(SnapshotReads.UPDATED) ? Finding.UPDATED : Finding.NOT_COMPARED,
          /* isWhole= */ false,
          List.of(),
          message);
    } finally {
      connections.values().forEach(HelperConnection::close);
    }
  }

  private VerifyReport compare() throws IOException {
    requireAllUnits();
    if (task.isWhole()) {
      return compareAll();
    }
    ByChecksums byChecksums = compareChecksums();
    if (byChecksums == ByChecksums.ALL_FIT) {
      return report(Finding.FITS, /* isWhole= */ true, List.of(), "checksums fit");
    }
    if (byChecksums == ByChecksums.SOME_FIT && compareSamples()) {
      return report(Finding.FITS, reads.areSamplesAll(), List.of(), "samples fit");
    }
    // Which units are wrong takes all bytes, and longer than this task may: a task of its own.
    return report(Finding.WRONG_PARITY, /* isWhole= */ false, List.of(), "a sample does not fit");
  }

  private void requireAllUnits() throws IOException {
    for (int unit = 0; unit < shape.units(); unit++) {
      if (shape.blockBytes(unit) > 0 && !connections.containsKey(unit)) {
        throw new IOException("unit " + unit + ": no DataNode has it");
      }
    }
  }

  private VerifyReport report(
      Finding finding, boolean isWhole, List<Integer> units, String reason) {
    return new VerifyReport(
        task.taskId(), task.groupId(), finding, isWhole, units, readBytes, reason);
  }

  private ByChecksums compareChecksums() throws IOException {
    List<Integer> xorParities = new ArrayList<>();
    for (int parity = 0; parity < code.parityUnits(); parity++) {
      if (code.isXor(parity)) {
        xorParities.add(code.dataUnits() + parity);
      }
    }
    if (xorParities.isEmpty()) {
      return ByChecksums.SOME_FIT;
    }
    DataChecksum.Type type = null;
    List<UnitCrc> data = new ArrayList<>();
    Map<Integer, Integer> parity = new TreeMap<>();
    for (Map.Entry<Integer, HelperConnection> each : connections.entrySet()) {
      int unit = each.getKey();
      boolean isData = unit < code.dataUnits();
      if (!isData && !xorParities.contains(unit)) {
        continue;
      }
      BlockCrc crc = each.getValue().checksum();
      if (type != null && type != crc.type()) {
        return ByChecksums.UNKNOWN;
      }
      type = crc.type();
      if (isData) {
        data.add(new UnitCrc(crc.crc(), shape.blockBytes(unit)));
      } else {
        parity.put(unit, crc.crc());
      }
    }
    if (type != DataChecksum.Type.CRC32 && type != DataChecksum.Type.CRC32C) {
      return ByChecksums.UNKNOWN;
    }
    int expected =
        new XorChecksums(Polynomial.valueOf(type.name()))
            .parity(data, shape.blockBytes(code.dataUnits()));
    if (!parity.values().stream().allMatch(crc -> crc == expected)) {
      return ByChecksums.UNKNOWN;
    }
    return xorParities.size() == code.parityUnits() ? ByChecksums.ALL_FIT : ByChecksums.SOME_FIT;
  }

  private boolean compareSamples() throws IOException {
    List<Codeword> samples = reads.samples();
    ParityCheck check = new ParityCheck(code, ByteBuffer::allocateDirect);
    try (UnitStreams streams = new UnitStreams(fresh(), Map.of())) {
      ByteBuffer[] columns =
          columns(samples.stream().mapToInt(Codeword::codewordBytes).max().orElse(0));
      for (Codeword each : samples) {
        compare(streams, each, columns, check);
      }
    }
    return check.fits();
  }

  private VerifyReport compareAll() throws IOException {
    ParityCheck check = new ParityCheck(code, ByteBuffer::allocateDirect);
    Map<Integer, Long> ends = new TreeMap<>();
    connections.keySet().forEach(unit -> ends.put(unit, shape.blockBytes(unit)));
    try (UnitStreams streams = new UnitStreams(fresh(), ends)) {
      ByteBuffer[] columns = columns(shape.codewordBytes(0));
      for (long stripe = 0; stripe < shape.stripes(); stripe++) {
        compare(streams, reads.stripe(stripe), columns, check);
      }
    }
    if (check.fits()) {
      return report(Finding.FITS, /* isWhole= */ true, List.of(), "all bytes fit");
    }
    return check.suspectedData().isEmpty()
        ? report(
            Finding.WRONG_PARITY, /* isWhole= */ true, check.wrongParity(), "parity does not fit")
        : report(
            Finding.SUSPECT_DATA, /* isWhole= */ true, check.suspectedData(), "data does not fit");
  }

  /** Connections of their own: closing streams closes them. */
  private Map<Integer, HelperConnection> fresh() {
    Map<Integer, HelperConnection> made = new TreeMap<>();
    for (UnitHolder each : task.holders()) {
      made.put(each.unit(), new HelperConnection(datanode, target(each), metrics));
    }
    return made;
  }

  private ByteBuffer[] columns(int lengthBytes) {
    ByteBuffer[] columns = new ByteBuffer[shape.units()];
    Arrays.setAll(columns, i -> ByteBuffer.allocateDirect(lengthBytes));
    return columns;
  }

  private void compare(
      UnitStreams streams, Codeword codeword, ByteBuffer[] columns, ParityCheck check)
      throws IOException {
    long before = streams.readBytes();
    streams.read(codeword, columns);
    long bytes = streams.readBytes() - before;
    readBytes += bytes;
    metrics.read(bytes);
    int[] dataBytes = new int[code.dataUnits()];
    codeword
        .reads()
        .forEach(
            read -> {
              if (read.unit() < dataBytes.length) {
                dataBytes[read.unit()] = (int) read.lengthBytes();
              }
            });
    check.compare(columns, dataBytes);
    pause(bytes);
  }

  private void pause(long bytes) throws InterruptedIOException {
    try {
      TimeUnit.NANOSECONDS.sleep(pacer.took(bytes, System.nanoTime()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw stopping();
    }
  }

  private static InterruptedIOException stopping() {
    return new InterruptedIOException("Cannot verify: the DataNode is stopping");
  }
}
