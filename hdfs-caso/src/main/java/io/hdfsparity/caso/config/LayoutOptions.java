/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.config;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.bridge.wire.PerNameNodeAddress;
import io.hdfsparity.caso.layout.LayoutPointer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSUtil;
import org.jspecify.annotations.Nullable;

/**
 * What files in stored order are configured with. Immutable, validated together.
 *
 * @param handlerCount RPC handlers of the NameNode's part
 * @param adminTimeoutMs how long a client waits for an answer
 * @param settleMs how long a client waits for all units of a copy
 * @param folder of the suite on the file system, absolute
 * @param sweepPeriodMs how often indexes of no file are deleted
 * @param mapReduceLeastBytes length from which on a file is copied by MapReduce, if that is asked
 *     for
 * @param mapReducePartBytes about how much of it a task copies
 * @param groupReaders class of the readers of other codecs; empty: none
 */
public record LayoutOptions(
    int handlerCount,
    int adminTimeoutMs,
    int settleMs,
    String folder,
    long sweepPeriodMs,
    long mapReduceLeastBytes,
    long mapReducePartBytes,
    String groupReaders) {
  private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static LayoutOptions of(Configuration conf) {
    KeyReader keys = CasoKey.reader(conf);
    return new LayoutOptions(
        keys.count(CasoKey.LAYOUT_HANDLER_COUNT, 1, 1000),
        (int) keys.millis(CasoKey.LAYOUT_ADMIN_TIMEOUT, 1, DAY_MS),
        (int) keys.millis(CasoKey.LAYOUT_SETTLE_TIMEOUT, 1, DAY_MS),
        folder(keys),
        keys.millis(CasoKey.LAYOUT_SWEEP_PERIOD, 100, DAY_MS),
        keys.bytes(CasoKey.LAYOUT_MAPREDUCE_LEAST, 1, Long.MAX_VALUE),
        keys.bytes(CasoKey.LAYOUT_MAPREDUCE_PART, 1, Long.MAX_VALUE),
        keys.text(CasoKey.LAYOUT_GROUP_READERS));
  }

  private static String folder(KeyReader keys) {
    String folder = keys.text(CasoKey.LAYOUT_FOLDER);
    if (!folder.matches(LayoutPointer.FOLDER_PATTERN)
        || !new Path(folder).toUri().getPath().equals(folder)) {
      throw KeyReader.refused(
          CasoKey.LAYOUT_FOLDER.key(),
          folder,
          "an absolute path without scheme, blanks and / at its end, not /",
          /* cause= */ null);
    }
    return folder;
  }

  /**
   * Where the part of a NameNode listens.
   *
   * @param nameservice null: none
   * @param nameNodeId null: none
   */
  public static InetSocketAddress address(
      Configuration conf, @Nullable String nameservice, @Nullable String nameNodeId) {
    return new KeyReader(conf).address(CasoKey.LAYOUT_RPC_ADDRESS, nameservice, nameNodeId);
  }

  /**
   * Where clients find the parts of all NameNodes of a file system.
   *
   * @param authority host of the file system's URI: a nameservice, or a NameNode
   */
  public static List<InetSocketAddress> addresses(Configuration conf, String authority)
      throws IOException {
    Map<String, Map<String, InetSocketAddress>> services =
        DFSUtil.getNNServiceRpcAddressesForCluster(conf);
    List<InetSocketAddress> addresses = new ArrayList<>();
    services.forEach(
        (service, nameNodes) ->
            nameNodes.forEach(
                (id, nameNode) -> {
                  // Of a federation's nameservices only the one that is asked for.
                  if (services.size() == 1 || authority.equals(service)) {
                    addresses.add(
                        PerNameNodeAddress.reachable(
                            address(conf, service, id), nameNode.getHostString()));
                  }
                }));
    return addresses.stream().distinct().toList();
  }
}
