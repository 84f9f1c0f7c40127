/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.RaidpNodeProtocol;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.PlacedBlock;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * What a NameNode answers whose RAIDP manager could not start. Only the marks of directories are
 * known, which are part of the namespace: blocks of protected files are refused, all others are
 * plain. A node with a row of a block does not ask, so a block in a superchunk stays covered where
 * it is. Thread-safe.
 */
final class UnmanagedBlocks {
  private final NameNodeAccess access;
  private final HdfsNamespace namespace;
  private final PlacementAnswers.Blocks blocks;

  UnmanagedBlocks(NameNode nameNode, NameNodeAccess access) {
    this.access = access;
    this.namespace = new HdfsNamespace(access, nameNode.getRpcServer());
    this.blocks = new PlacedBlocks(nameNode.getNamesystem())::find;
  }

  /**
   * What the policy asks.
   *
   * @param failure why there is no manager
   */
  RefusingPlacement placement(String failure) {
    return new RefusingPlacement(failure, ProtectedPlacement.ProtectedPaths.of(namespace));
  }

  /** What DataNodes are answered. */
  RaidpNodeProtocol calls(String failure) {
    return new Calls(
        failure,
        new PlacementQuestions(
            namespace::registered,
            /* leavesToHdfs= */ uuid -> false,
            access::isActive,
            access::clusterId,
            access::blockPoolId,
            request -> answer(blocks, failure, request)));
  }

  static SuperchunkAnswer answer(
      PlacementAnswers.Blocks blocks, String failure, SuperchunkRequest request) {
    PlacedBlock block = blocks.find(List.of(request.blockId())).get(request.blockId());
    if (block == null) {
      return new SuperchunkAnswer.Refused(PlacementAnswers.NO_BLOCK);
    }
    if (block.striped()) {
      return new SuperchunkAnswer.Plain();
    }
    if (request.generationStamp() < block.generationStamp()) {
      return PlacementAnswers.isOld(block);
    }
    return PlacementAnswers.belongs(block)
        ? new SuperchunkAnswer.Refused(
            "its file is protected, and the RAIDP manager in the NameNode has failed: " + failure)
        : new SuperchunkAnswer.Plain();
  }

  /** Reports are refused as if nothing listened: the sender reports again later. */
  private record Calls(String failure, PlacementQuestions questions) implements RaidpNodeProtocol {
    @Override
    public NodeReportResponse reportNode(NodeReport report) throws IOException {
      throw down();
    }

    @Override
    public boolean reportLstor(LstorReport report) throws IOException {
      throw down();
    }

    @Override
    public SuperchunkAnswer superchunkOf(SuperchunkRequest request) throws IOException {
      return questions.answer(request);
    }

    private ConnectException down() {
      return new ConnectException(
          "Cannot take a report: manager=failed, expected in service: " + failure);
    }
  }
}
