/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.feature.FeatureHost;
import io.hdfsparity.bridge.feature.NameNodeFeature;
import io.hdfsparity.bridge.hold.FileHold;
import io.hdfsparity.bridge.hold.FileHolder;
import io.hdfsparity.bridge.level.ParityDoubts;
import io.hdfsparity.bridge.status.NameNodeDescription;
import io.hdfsparity.bridge.status.wire.StatusProtocols;
import io.hdfsparity.bridge.web.PageServlet;
import io.hdfsparity.bridge.wire.BindHosts;
import io.hdfsparity.bridge.wire.DaemonServer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.DelegationTokens;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.ServicePlugin;

/**
 * The suite in a NameNode: the one entry of {@code dfs.namenode.plugins}, on every NameNode. Starts
 * the features that {@code dfs.parity.features} says, each of which fails closed by itself, and one
 * RPC server for all of them. Asks its features for the files that they hold, and for the parity
 * that they doubt.
 */
public final class ParityNameNodePlugin implements ServicePlugin, FileHolder, ParityDoubts {
  private final FeatureHost<NameNode, NameNodeFeature> host =
      FeatureHost.ofClassPath(NameNodeFeature.class);

  @Override
  public synchronized void start(Object service) {
    NameNode nameNode = (NameNode) service;
    NameNodeDescription description =
        new NameNodeDescription(nameNode, host::report, host::nodePorts);
    // First: it shows that features could not be started.
    PageServlet.install(nameNode, description::describe, host::pages);
    host.start(
        nameNode,
        nameNode.getConf(),
        "",
        List.of(StatusProtocols.nameNode(description)),
        conf -> listening(nameNode, conf));
  }

  private static DaemonServer.Listening listening(NameNode nameNode, Configuration conf) {
    return new DaemonServer.Listening(
        BindHosts.ofNameNode(conf, NameNodeServers.ofThis(conf)),
        new KeyReader(conf).count(SuiteKey.NAMENODE_HANDLER_COUNT, 1, SuiteKey.MAX_HANDLERS),
        DelegationTokens.of(nameNode.getNamesystem()));
  }

  @Override
  public Optional<FileHold> holdOn(long inodeId, FileHolder.Namespace namespace) {
    for (Object feature : host.features()) {
      if (feature instanceof FileHolder holder) {
        Optional<FileHold> hold = holder.holdOn(inodeId, namespace);
        if (hold.isPresent()) {
          return hold;
        }
      }
    }
    return Optional.empty();
  }

  @Override
  public Doubt doubt(String codec, long groupId) {
    return first(doubts -> doubts.doubt(codec, groupId));
  }

  @Override
  public Doubt doubtOfRebuild(String codec, long groupId) {
    return first(doubts -> doubts.doubtOfRebuild(codec, groupId));
  }

  private Doubt first(Function<ParityDoubts, Doubt> question) {
    for (Object feature : host.features()) {
      if (feature instanceof ParityDoubts doubts) {
        Doubt doubt = question.apply(doubts);
        if (doubt != Doubt.NONE) {
          return doubt;
        }
      }
    }
    return Doubt.NONE;
  }

  @Override
  public void load() {
    for (Object feature : host.features()) {
      if (feature instanceof ParityDoubts doubts) {
        doubts.load();
      }
    }
  }

  @Override
  public synchronized void stop() {
    host.stop();
  }

  @Override
  public void close() {
    stop();
  }
}
