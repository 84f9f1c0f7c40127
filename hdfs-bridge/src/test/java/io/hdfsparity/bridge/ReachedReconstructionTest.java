/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge;

import io.hdfsparity.bridge.ReachedMembersTest.Reached;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link ReachedMembersTest}, for the classes that redirect reconstruction. */
class ReachedReconstructionTest {
  private static final String DN = "org.apache.hadoop.hdfs.server.datanode.";
  private static final String EC = DN + "erasurecode.";

  private static Reached field(String type, String name, String result) {
    return new Reached(EC + type, name, "private", result, null);
  }

  private static Reached method(String type, String name, String result, String... parameters) {
    return new Reached(EC + type, name, "", result, List.of(parameters));
  }

  private static Reached open(String type, String name, String result, String... parameters) {
    return new Reached(type, name, "public", result, List.of(parameters));
  }

  private static Reached constructor(String type, String... parameters) {
    return new Reached(EC + type, "<init>", "", "", List.of(parameters));
  }

  static Stream<Reached> members() {
    return Stream.of(
        // StockTask, ReconstructionSwitch
        field("ErasureCodingWorker", "stripedReconstructionPool", "ThreadPoolExecutor"),
        field("StripedReconstructor", "ecPolicy", "ErasureCodingPolicy"),
        field("StripedBlockReconstructor", "stripedWriter", "StripedWriter"),
        field("StripedReader", "liveIndices", "byte[]"),
        field("StripedReader", "sources", "DatanodeInfo[]"),
        field("StripedWriter", "targets", "DatanodeInfo[]"),
        field("StripedWriter", "targetIndices", "short[]"),
        field("StripedWriter", "targetStorageTypes", "StorageType[]"),
        field("StripedWriter", "targetStorageIds", "String[]"),
        open(DN + "DataNode", "getErasureCodingWorker", "ErasureCodingWorker"),
        // RedirectedReconstructor
        constructor("StripedReconstructor", "ErasureCodingWorker", "StripedReconstructionInfo"),
        method("StripedReconstructor", "reconstruct", "void"),
        method("StripedReconstructor", "useDirectBuffer", "boolean"),
        method("StripedReconstructor", "allocateBuffer", "ByteBuffer", "int"),
        method("StripedReconstructor", "freeBuffer", "void", "ByteBuffer"),
        method("StripedReconstructor", "getBlock", "ExtendedBlock", "int"),
        method("StripedReconstructor", "getBlockLen", "long", "int"),
        method("StripedReconstructor", "getBlockGroup", "ExtendedBlock"),
        method("StripedReconstructor", "getBufferSize", "int"),
        method("StripedReconstructor", "getXmits", "int"),
        method("StripedReconstructor", "getLiveBitSet", "BitSet"),
        method("StripedReconstructor", "getExcludeBitSet", "BitSet"),
        method("StripedReconstructor", "updatePositionInBlock", "void", "long"),
        method("StripedReconstructor", "isValidationEnabled", "boolean"),
        method(
            "StripedReconstructor",
            "getSocketAddress4Transfer",
            "InetSocketAddress",
            "DatanodeInfo"),
        method("StripedReconstructor", "cleanup", "void"),
        open(EC + "StripedReconstructor", "getChecksum", "DataChecksum"),
        open(EC + "StripedReconstructor", "incrBytesRead", "void", "boolean", "long"),
        open(EC + "ErasureCodingWorker", "getXmitWeight", "float"),
        new Reached(
            EC + "StripedWriter",
            "<init>",
            "",
            "",
            List.of(
                "StripedReconstructor", "DataNode", "Configuration", "StripedReconstructionInfo")),
        method("StripedWriter", "init", "void"),
        method("StripedWriter", "getRealTargetIndices", "int[]"),
        method("StripedWriter", "getRealTargetBuffers", "ByteBuffer[]", "int"),
        method("StripedWriter", "updateRealTargetBuffers", "void", "int"),
        method("StripedWriter", "transferData2Targets", "int"),
        method("StripedWriter", "clearBuffers", "void"),
        method("StripedWriter", "endTargetBlocks", "void"),
        method("StripedWriter", "close", "void"),
        // IzsDataNodeFeature's engine
        open(DN + "DataNode", "getEcReconstuctReadThrottler", "DataTransferThrottler"),
        open(DN + "DataNode", "getEcReconstuctWriteThrottler", "DataTransferThrottler"),
        open(DN + "DataNode", "reportCorruptedBlocks", "void", "CorruptedBlocks"),
        open(DN + "DataNode", "decrementXmitsInProgress", "void", "int"),
        // ErrorReports
        new Reached(DN + "DataNode", "getBPOfferService", "", "BPOfferService", List.of("String")),
        new Reached(
            DN + "BPOfferService", "trySendErrorReport", "", "void", List.of("int", "String")));
  }

  @ParameterizedTest
  @MethodSource("members")
  void isAsItWasRead(Reached reached) throws Exception {
    new ReachedMembersTest().isAsItWasRead(reached);
  }
}
