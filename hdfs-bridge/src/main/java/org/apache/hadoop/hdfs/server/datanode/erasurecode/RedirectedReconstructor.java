/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.erasurecode;

import io.hdfsparity.bridge.datanode.RebuildTask;
import io.hdfsparity.bridge.datanode.StripedRebuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.util.DataChecksum;

/**
 * A reconstruction task whose reading and decoding are done by a {@link StripedRebuilder}, and
 * whose writing, accounting and metrics are HDFS's: StripedBlockReconstructor with another middle.
 *
 * <p>Reaches StripedReconstructor and StripedWriter, package-private, because rebuilt bytes must go
 * to targets and into the DataNode's counters as HDFS's own do. Its StripedReader is never
 * initialised, opens no connection, and must not be closed. Checked for Hadoop 3.5.0.
 */
final class RedirectedReconstructor extends StripedReconstructor implements Runnable, RebuildTask {
  private final StripedReconstructionInfo info;
  private final StripedRebuilder rebuilder;
  private final StripedWriter writer;
  private final short[] writerIndices;
  private final Map<Integer, DatanodeInfo> sources = new TreeMap<>();
  private final int xmits;
  private DataChecksum checksum;
  private int pieceBytes;

  /** The task that HDFS made, in another form. */
  RedirectedReconstructor(
      ErasureCodingWorker worker,
      StockTask stock,
      StripedBlockReconstructor ordered,
      StripedRebuilder rebuilder) {
    this(worker, stock, stock.info(ordered), ordered.getXmits(), rebuilder);
  }

  private RedirectedReconstructor(
      ErasureCodingWorker worker,
      StockTask stock,
      StripedReconstructionInfo info,
      int xmits,
      StripedRebuilder rebuilder) {
    super(worker, info);
    this.info = info;
    this.xmits = xmits;
    this.rebuilder = rebuilder;
    this.writer = new StripedWriter(this, getDatanode(), getConf(), info);
    this.writerIndices = stock.targetIndices(writer);
    for (int i = 0; i < info.getLiveIndices().length; i++) {
      sources.putIfAbsent((int) info.getLiveIndices()[i], info.getSources()[i]);
    }
  }

  @Override
  public void run() {
    try {
      checkTargets();
      rebuilder.rebuild(this);
      writer.endTargetBlocks();
    } catch (Throwable e) {
      LOG.warn("Failed to reconstruct striped block: {}", getBlockGroup(), e);
      getDatanode().getMetrics().incrECFailedReconstructionTasks();
    } finally {
      finish();
    }
  }

  /** A target that was given a unit that is not missing would store a second copy of it. */
  private void checkTargets() throws IOException {
    List<Integer> units = targetUnits();
    for (int i = 0; i < units.size(); i++) {
      int unit = units.get(i);
      boolean isWanted =
          !getLiveBitSet().get(unit) && !getExcludeBitSet().get(unit) && getBlockLen(unit) > 0;
      if (!isWanted || (i > 0 && unit <= units.get(i - 1))) {
        throw new IOException(
            "Cannot reconstruct: targetUnits="
                + units
                + ", live="
                + getLiveBitSet()
                + ", expected distinct missing units, block="
                + getBlockGroup());
      }
    }
  }

  /** As StripedBlockReconstructor.run, with the same figure of xmits. */
  private void finish() {
    float xmitWeight = getErasureCodingWorker().getXmitWeight();
    getDatanode().decrementXmitsInProgress(Math.max((int) (getXmits() * xmitWeight), 1));
    DataNodeMetrics metrics = getDatanode().getMetrics();
    metrics.incrECReconstructionTasks();
    metrics.incrECReconstructionBytesRead(getBytesRead());
    metrics.incrECReconstructionRemoteBytesRead(getRemoteBytesRead());
    metrics.incrECReconstructionBytesWritten(getBytesWritten());
    writer.close();
    cleanup();
  }

  /** Of the order, which HDFS has counted up by. */
  @Override
  int getXmits() {
    return xmits;
  }

  @Override
  void reconstruct() {
    throw new UnsupportedOperationException("run() does it");
  }

  @Override
  int getBufferSize() {
    return pieceBytes;
  }

  @Override
  public DataChecksum getChecksum() {
    return checksum;
  }

  @Override
  boolean useDirectBuffer() {
    return true;
  }

  @Override
  public ErasureCodingPolicy policy() {
    return info.getEcPolicy();
  }

  @Override
  public ExtendedBlock blockGroup() {
    return getBlockGroup();
  }

  @Override
  public ExtendedBlock block(int unit) {
    return getBlock(unit);
  }

  @Override
  public Map<Integer, DatanodeInfo> sources() {
    return Map.copyOf(sources);
  }

  @Override
  public List<Integer> targetUnits() {
    Integer[] units = new Integer[writerIndices.length];
    Arrays.setAll(units, i -> (int) writerIndices[i]);
    return List.of(units);
  }

  @Override
  public InetSocketAddress address(DatanodeInfo source) {
    return getSocketAddress4Transfer(source);
  }

  @Override
  public boolean isValidated() {
    return isValidationEnabled();
  }

  @Override
  public ByteBuffer allocate(int lengthBytes) {
    return allocateBuffer(lengthBytes);
  }

  @Override
  public void free(ByteBuffer buffer) {
    freeBuffer(buffer);
  }

  @Override
  public void countRead(boolean isLocal, long lengthBytes) {
    incrBytesRead(isLocal, lengthBytes);
  }

  @Override
  public void openTargets(DataChecksum withChecksum, int bytesOfPiece) throws IOException {
    if (bytesOfPiece % withChecksum.getBytesPerChecksum() != 0) {
      throw new IOException(
          "Cannot reconstruct: bytesPerChecksum="
              + withChecksum.getBytesPerChecksum()
              + ", expected a divisor of "
              + bytesOfPiece
              + ", block="
              + getBlockGroup());
    }
    checksum = withChecksum;
    pieceBytes = bytesOfPiece;
    writer.init();
  }

  @Override
  public List<Integer> liveTargets() {
    return checksum == null
        ? targetUnits()
        : Arrays.stream(writer.getRealTargetIndices()).boxed().toList();
  }

  @Override
  public ByteBuffer[] targetBuffers(int lengthBytes) {
    return writer.getRealTargetBuffers(lengthBytes);
  }

  @Override
  public void send(int lengthBytes) throws IOException {
    writer.updateRealTargetBuffers(lengthBytes);
    if (writer.transferData2Targets() == 0) {
      throw new IOException("Transfer failed for all targets.");
    }
    updatePositionInBlock(lengthBytes);
    writer.clearBuffers();
  }
}
