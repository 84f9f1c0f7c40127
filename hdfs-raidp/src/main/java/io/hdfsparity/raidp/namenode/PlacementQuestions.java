/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.wire.RegisteredNodes;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.ipc.StandbyException;

/**
 * Says who may ask for the superchunk of a block, and for what: a registered DataNode, for its own
 * storages. Only the active NameNode knows where blocks were placed. Thread-safe.
 */
final class PlacementQuestions {
  /** Ids of Hadoop are shorter than 100 characters. */
  static final int MAX_ID_CHARS = 256;

  private final Registrations registrations;
  private final Predicate<String> leavesToHdfs;
  private final BooleanSupplier active;
  private final Supplier<String> clusterId;
  private final Supplier<String> blockPoolId;
  private final SuperchunkAnswers placements;

  /**
   * @param leavesToHdfs whether a node, by its uuid, has no pairs
   * @param active whether this NameNode is the active one
   */
  PlacementQuestions(
      Registrations registrations,
      Predicate<String> leavesToHdfs,
      BooleanSupplier active,
      Supplier<String> clusterId,
      Supplier<String> blockPoolId,
      SuperchunkAnswers placements) {
    this.registrations = registrations;
    this.leavesToHdfs = leavesToHdfs;
    this.active = active;
    this.clusterId = clusterId;
    this.blockPoolId = blockPoolId;
    this.placements = placements;
  }

  /**
   * Answers a node.
   *
   * @throws StandbyException where this NameNode is not the active one
   * @throws IOException also when the caller may not ask, or has to ask again
   */
  SuperchunkAnswer answer(SuperchunkRequest request) throws IOException {
    requireId("clusterId", request.clusterId());
    requireId("node", request.nodeUuid());
    requireId("blockPoolId", request.blockPoolId());
    requireId("storage", request.storageId().orElse(""));
    if (!active.getAsBoolean()) {
      throw new StandbyException(
          "Cannot tell the superchunk of a block: NameNode=standby, expected the active one");
    }
    require("clusterId", request.clusterId(), clusterId.get());
    require("blockPoolId", request.blockPoolId(), blockPoolId.get());
    Registrations.Registered node =
        registrations
            .find(request.nodeUuid())
            .orElseThrow(
                () ->
                    refused(
                        "node",
                        request.nodeUuid(),
                        "one registered with this NameNode; it registers after a moment"));
    RegisteredNodes.requireCallerAt(request.nodeUuid(), node.ipAddress(), node.hostNames());
    if (request.storageId().filter(id -> !node.storageIds().contains(id)).isPresent()) {
      throw refused("storage", request.storageId().get(), "one that the node has registered");
    }
    return leavesToHdfs.test(request.nodeUuid())
        ? new SuperchunkAnswer.Plain()
        : placements.answer(request);
  }

  private static void requireId(String name, String id) throws IOException {
    if (id.length() > MAX_ID_CHARS) {
      throw refused(name + ".length", id.length(), "at most " + MAX_ID_CHARS);
    }
  }

  private static void require(String name, String value, String expected) throws IOException {
    if (!value.equals(expected)) {
      throw refused(name, value, expected);
    }
  }

  private static IOException refused(String name, Object value, String rule) {
    return new IOException(
        "Cannot tell the superchunk of a block: " + name + "=" + value + ", expected " + rule);
  }
}
