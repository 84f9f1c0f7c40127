/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.datanode.ReadCaller;
import java.io.IOException;
import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.hdfs.server.datanode.BlockTokenUsers;

/**
 * Tells who opens a replica. No argument of the dataset's methods says it; the calling frames do,
 * and the name that DataXceiver gives its thread, which holds the client's name: a DataNode that
 * reconstructs (StripedBlockReader, StripedBlockChecksumReconstructor) has none. One that copies a
 * replica does it from a DataTransfer, or asks for it by copyBlock.
 *
 * <p>Fail closed: a thread whose name is not as expected is taken for a DataNode's, which is
 * refused where a client is not.
 *
 * <p>Reaches, by name: DataXceiver.readBlock, copyBlock, blockChecksum and blockGroupChecksum, the
 * thread name of DataXceiver.updateCurrentThreadName, VolumeScanner, DataNode.DataTransfer and who
 * submits it, DataNode.requestShortCircuitFdsForRead; and what the names of DFSClient begin with.
 * Checked for Hadoop 3.5.0. Stateless.
 */
final class ReadCallers {
  static final String XCEIVER_THREAD = "DataXceiver for client ";

  /** What DFSClient's names begin with. */
  private static final String JAVA_CLIENT = "DFSClient_";

  private static final String DATANODE = "org.apache.hadoop.hdfs.server.datanode.";
  private static final String TRANSFER = DATANODE + "DataNode$DataTransfer";
  private static final int FRAMES = 24;
  private static final StackWalker WALKER = StackWalker.getInstance();

  private ReadCallers() {}

  /** Whether a replica is opened to pass its files to a client. */
  static boolean isShortCircuit() {
    return WALKER.walk(
        frames ->
            frames
                .limit(FRAMES)
                .anyMatch(
                    frame ->
                        frame.getClassName().equals(DATANODE + "DataNode")
                            && frame.getMethodName().equals("requestShortCircuitFdsForRead")));
  }

  /** Whether a replica is opened to be copied to another DataNode, as that one asked for it. */
  static boolean isCopy() {
    return isXceiver("copyBlock");
  }

  /**
   * Whether a replica is opened for a copy that the NameNode has ordered. A copy for a client's
   * pipeline is made by the same class, but is waited for: transferReplicaForPipelineRecovery
   * submits it, which puts a FutureTask below it.
   */
  static boolean isOrderedCopy() {
    return isOrderedCopy(
        WALKER.walk(frames -> frames.limit(FRAMES).map(StackFrame::getClassName).toList()));
  }

  /** By the classes of the calling frames, the innermost first. */
  static boolean isOrderedCopy(List<String> callers) {
    int transfer = callers.indexOf(TRANSFER);
    return transfer >= 0
        && !callers.subList(transfer, callers.size()).contains(FutureTask.class.getName());
  }

  /**
   * As {@link #current}, where it matters: whoever reads as a DataNode would keep the block group
   * from further updates.
   *
   * @param blockId of the replica that is opened
   * @throws IOException if a reader has no client's name, and the block token of a client
   */
  static ReadCaller proven(long blockId) throws IOException {
    ReadCaller caller = current();
    if (caller == ReadCaller.RECONSTRUCTION
        || caller == ReadCaller.VERIFIER
        || caller == ReadCaller.DATANODE && isXceiver("readBlock")) {
      BlockTokenUsers.requireDataNode(blockId);
    }
    return caller;
  }

  private static boolean isXceiver(String operation) {
    return WALKER.walk(
        frames ->
            frames
                .limit(FRAMES)
                .anyMatch(
                    frame ->
                        frame.getClassName().equals(DATANODE + "DataXceiver")
                            && frame.getMethodName().equals(operation)));
  }

  static ReadCaller current() {
    return WALKER.walk(
        frames ->
            frames
                .limit(FRAMES)
                .map(ReadCallers::caller)
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(ReadCaller.UNKNOWN));
  }

  private static Optional<ReadCaller> caller(StackFrame frame) {
    String type = frame.getClassName();
    if (type.equals(DATANODE + "VolumeScanner")) {
      return Optional.of(ReadCaller.SCANNER);
    }
    if (type.equals(TRANSFER)) {
      return Optional.of(ReadCaller.DATANODE);
    }
    if (!type.equals(DATANODE + "DataXceiver")) {
      return Optional.empty();
    }
    return switch (frame.getMethodName()) {
      case "readBlock" -> Optional.of(ofThread(Thread.currentThread().getName()));
      case "copyBlock" -> Optional.of(ReadCaller.DATANODE);
      case "blockChecksum", "blockGroupChecksum" -> Optional.of(ReadCaller.CHECKSUM);
      default -> Optional.empty();
    };
  }

  /** By the name of a thread that serves a read: {@code DataXceiver for client NAME at ...}. */
  static ReadCaller ofThread(String name) {
    if (name.startsWith(XCEIVER_THREAD + " at ")) {
      return ReadCaller.RECONSTRUCTION;
    }
    if (name.startsWith(XCEIVER_THREAD + ReadCaller.VERIFIER_CLIENT + " at ")) {
      return ReadCaller.VERIFIER;
    }
    boolean isNamed =
        name.startsWith(XCEIVER_THREAD)
            && name.length() > XCEIVER_THREAD.length()
            && name.charAt(XCEIVER_THREAD.length()) != ' '
            && name.indexOf(" at ") > XCEIVER_THREAD.length();
    return isNamed ? ReadCaller.CLIENT : ReadCaller.DATANODE;
  }

  /**
   * Whether the length of a block in a read request may be that of its group: a client says so that
   * is not Hadoop's, which says the length of the unit.
   *
   * @param name of the thread that serves the read
   */
  static boolean mayNameGroups(String name) {
    return ofThread(name) == ReadCaller.CLIENT
        && !name.startsWith(JAVA_CLIENT, XCEIVER_THREAD.length());
  }
}
