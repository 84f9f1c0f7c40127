/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.HAUtil;
import org.jspecify.annotations.Nullable;

/**
 * Which of the configured NameNodes a NameNode is, found as it finds it itself: suffixes of the
 * keys that are its own ({@link PerNameNodeAddress}). Immutable.
 *
 * @param nameservice empty: none
 * @param nameNodeId empty: none
 */
public record ThisNameNode(String nameservice, String nameNodeId) {
  /**
   * Of the configuration of a NameNode.
   *
   * @throws org.apache.hadoop.HadoopIllegalArgumentException when several of the configured
   *     addresses are this host's
   */
  public static ThisNameNode of(Configuration conf) {
    String nameservice = DFSUtil.getNamenodeNameServiceId(conf);
    return new ThisNameNode(orEmpty(nameservice), orEmpty(HAUtil.getNameNodeId(conf, nameservice)));
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
