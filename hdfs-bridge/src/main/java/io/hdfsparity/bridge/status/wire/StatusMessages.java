/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status.wire;

import static io.hdfsparity.bridge.status.StatusLimits.MAX_ENTRIES;
import static io.hdfsparity.bridge.status.StatusLimits.MAX_KEYS;
import static io.hdfsparity.bridge.status.StatusLimits.MAX_NODES;
import static io.hdfsparity.bridge.status.StatusLimits.first;
import static io.hdfsparity.bridge.status.StatusLimits.text;

import io.hdfsparity.bridge.status.DaemonStatus;
import io.hdfsparity.bridge.status.DataNodeAvailability;
import io.hdfsparity.bridge.status.DirectorySpace;
import io.hdfsparity.bridge.status.EnabledPolicy;
import io.hdfsparity.bridge.status.FeatureState;
import io.hdfsparity.bridge.status.FeatureStatus;
import io.hdfsparity.bridge.status.NameNodeFacts;
import io.hdfsparity.bridge.status.RegisteredNode;
import io.hdfsparity.bridge.status.wire.proto.SuiteStatusProtos.DescribeResponseProto;
import io.hdfsparity.bridge.status.wire.proto.SuiteStatusProtos.DirectorySpaceProto;
import io.hdfsparity.bridge.status.wire.proto.SuiteStatusProtos.EnabledPolicyProto;
import io.hdfsparity.bridge.status.wire.proto.SuiteStatusProtos.FeatureStatusProto;
import io.hdfsparity.bridge.status.wire.proto.SuiteStatusProtos.NameNodeFactsProto;
import io.hdfsparity.bridge.status.wire.proto.SuiteStatusProtos.NamedTextProto;
import io.hdfsparity.bridge.status.wire.proto.SuiteStatusProtos.RegisteredNodeProto;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Records to messages and back, within {@link io.hdfsparity.bridge.status.StatusLimits}. */
final class StatusMessages {
  private StatusMessages() {}

  static DescribeResponseProto message(DaemonStatus status) {
    DescribeResponseProto.Builder b =
        DescribeResponseProto.newBuilder()
            .setSuiteVersion(text(status.software().suiteVersion()))
            .setHadoopVersion(text(status.software().hadoopVersion()))
            .setClockMs(status.clockMs())
            .setNativeCode(text(status.software().nativeCode()))
            .addAllKey(named(first(status.keys(), MAX_KEYS)));
    first(status.features(), MAX_ENTRIES).forEach(each -> b.addFeature(feature(each)));
    for (DirectorySpace each : first(status.directories(), MAX_ENTRIES)) {
      b.addDirectory(
          DirectorySpaceProto.newBuilder()
              .setPath(text(each.path()))
              .setCapacityBytes(each.capacityBytes())
              .setFreeBytes(each.freeBytes()));
    }
    status.nameNode().ifPresent(facts -> b.setNameNode(nameNode(facts)));
    return b.setNodeUuid(text(status.nodeUuid())).build();
  }

  private static List<NamedTextProto> named(Map<String, String> texts) {
    return texts.entrySet().stream()
        .map(
            each ->
                NamedTextProto.newBuilder().setName(each.getKey()).setText(each.getValue()).build())
        .toList();
  }

  private static FeatureStatusProto feature(FeatureStatus status) {
    return FeatureStatusProto.newBuilder()
        .setName(text(status.name()))
        .setPart(text(status.part()))
        .setState(status.state().name())
        .setReason(text(status.reason()))
        .addAllFigure(named(first(status.figures(), MAX_ENTRIES)))
        .build();
  }

  private static NameNodeFactsProto nameNode(NameNodeFacts facts) {
    NameNodeFactsProto.Builder b =
        NameNodeFactsProto.newBuilder()
            .setNameservice(facts.nameservice())
            .setNameNodeId(facts.nameNodeId())
            .setHaState(facts.haState())
            .setSafeMode(facts.isInSafeMode())
            .setNodesOmitted(facts.nodesOmitted());
    for (RegisteredNode each : first(facts.nodes(), MAX_NODES)) {
      b.addNode(
          RegisteredNodeProto.newBuilder()
              .setUuid(text(each.uuid()))
              .setIpAddress(text(each.ipAddress()))
              .setHostName(text(each.hostName()))
              .setTransferPort(each.transferPort())
              .setRack(text(each.rack()))
              .setState(each.state().name())
              .setSuitePort(each.suitePort()));
    }
    for (EnabledPolicy each : first(facts.policies(), MAX_ENTRIES)) {
      b.addPolicy(
          EnabledPolicyProto.newBuilder()
              .setName(text(each.name()))
              .setCodec(text(each.codec()))
              .setDataUnits(each.dataUnits())
              .setParityUnits(each.parityUnits()));
    }
    return b.build();
  }

  static DaemonStatus status(DescribeResponseProto p) {
    return new DaemonStatus(
        new DaemonStatus.Software(
            text(p.getSuiteVersion()), text(p.getHadoopVersion()), text(p.getNativeCode())),
        p.getClockMs(),
        first(p.getFeatureList(), MAX_ENTRIES).stream()
            .map(
                each ->
                    new FeatureStatus(
                        text(each.getName()),
                        text(each.getPart()),
                        FeatureState.of(each.getState()),
                        text(each.getReason()),
                        first(texts(each.getFigureList()), MAX_ENTRIES)))
            .toList(),
        first(texts(p.getKeyList()), MAX_KEYS),
        first(p.getDirectoryList(), MAX_ENTRIES).stream()
            .map(
                each ->
                    new DirectorySpace(
                        text(each.getPath()), each.getCapacityBytes(), each.getFreeBytes()))
            .toList(),
        p.hasNameNode() ? Optional.of(facts(p.getNameNode())) : Optional.empty(),
        text(p.getNodeUuid()));
  }

  private static Map<String, String> texts(List<NamedTextProto> named) {
    Map<String, String> texts = new LinkedHashMap<>();
    named.forEach(each -> texts.put(each.getName(), each.getText()));
    return texts;
  }

  private static NameNodeFacts facts(NameNodeFactsProto p) {
    return new NameNodeFacts(
        text(p.getNameservice()),
        text(p.getNameNodeId()),
        text(p.getHaState()),
        p.getSafeMode(),
        first(p.getNodeList(), MAX_NODES).stream()
            .map(
                each ->
                    new RegisteredNode(
                        text(each.getUuid()),
                        text(each.getIpAddress()),
                        text(each.getHostName()),
                        each.getTransferPort(),
                        text(each.getRack()),
                        DataNodeAvailability.of(each.getState()),
                        each.getSuitePort()))
            .toList(),
        p.getNodesOmitted(),
        first(p.getPolicyList(), MAX_ENTRIES).stream()
            .map(
                each ->
                    new EnabledPolicy(
                        text(each.getName()),
                        text(each.getCodec()),
                        each.getDataUnits(),
                        each.getParityUnits()))
            .toList());
  }
}
