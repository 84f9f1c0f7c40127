/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;

/**
 * Addresses that each NameNode can have of its own: the key with the suffix of the nameservice and
 * the NameNode, as HDFS's own keys have it; else with that of the nameservice; else the plain key.
 */
public final class PerNameNodeAddress {
  private PerNameNodeAddress() {}

  /**
   * Name of the most special key.
   *
   * @param nameservice null or empty: none
   * @param nameNodeId null or empty: none
   */
  public static String key(
      String plain, @Nullable String nameservice, @Nullable String nameNodeId) {
    StringBuilder key = new StringBuilder(plain);
    for (String part : new String[] {nameservice, nameNodeId}) {
      if (part != null && !part.isEmpty()) {
        key.append('.').append(part);
      }
    }
    return key.toString();
  }

  /**
   * What the most special key that is set says.
   *
   * @param plainText what the plain key or its default says
   */
  public static String text(
      Configuration conf,
      String plain,
      String plainText,
      @Nullable String nameservice,
      @Nullable String nameNodeId) {
    String ofService = conf.getTrimmed(key(plain, nameservice, null), plainText);
    return conf.getTrimmed(key(plain, nameservice, nameNodeId), ofService);
  }

  /**
   * Where others reach a server that is bound to an address: there, or on its NameNode's host where
   * it is bound to all of them.
   */
  public static InetSocketAddress reachable(InetSocketAddress bind, String nameNodeHost) {
    boolean isWildcard = bind.getAddress() != null && bind.getAddress().isAnyLocalAddress();
    return isWildcard ? NetUtils.createSocketAddrForHost(nameNodeHost, bind.getPort()) : bind;
  }

  /** Where a server is bound. */
  @FunctionalInterface
  public interface Bind {
    /**
     * Of one NameNode.
     *
     * @param conf with the keys of that NameNode
     */
    InetSocketAddress of(Configuration conf, String nameservice, String nameNodeId);
  }

  /**
   * Where the same server of each other NameNode of this one's nameservice is reached; none without
   * high availability.
   */
  public static List<InetSocketAddress> ofOthers(Configuration conf, Bind bind) {
    String nameservice = DFSUtil.getNamenodeNameServiceId(conf);
    if (!HAUtil.isHAEnabled(conf, nameservice)) {
      return List.of();
    }
    List<InetSocketAddress> others = new ArrayList<>();
    for (Configuration other : HAUtil.getConfForOtherNodes(conf)) {
      String host = NameNode.getServiceAddress(other, true).getHostString();
      String id = other.get(DFSConfigKeys.DFS_HA_NAMENODE_ID_KEY, "");
      others.add(reachable(bind.of(other, nameservice, id), host));
    }
    return List.copyOf(others);
  }
}
