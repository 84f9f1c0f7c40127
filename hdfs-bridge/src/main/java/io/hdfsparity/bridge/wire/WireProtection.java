/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * How well bytes are protected on the network. Bytes of blocks that go by Hadoop RPC have to be as
 * safe there as on HDFS's own way, data transfer; else who turned that one's encryption on would
 * have them in clear all the same. Stateless.
 */
public final class WireProtection {
  /** Weakest first, as Hadoop orders SaslRpcServer.QualityOfProtection. */
  private enum Level {
    NONE,
    AUTHENTICATION,
    INTEGRITY,
    PRIVACY
  }

  private WireProtection() {}

  /**
   * Returns when RPC protects as much as data transfer demands.
   *
   * @param what is sent, for the message
   * @throws IOException that names both keys, when not
   */
  public static void requireRpcAsDataTransfer(Configuration conf, String what) throws IOException {
    require(conf, UserGroupInformation.isSecurityEnabled(), what);
  }

  static void require(Configuration conf, boolean isSecure, String what) throws IOException {
    String rpc =
        conf.get(CommonConfigurationKeysPublic.HADOOP_RPC_PROTECTION, "authentication").trim();
    Level needed = needed(conf, isSecure);
    Level given = isSecure ? weakest(rpc) : Level.NONE;
    // Who is sent to is checked by each server itself.
    if (needed.compareTo(Level.AUTHENTICATION) > 0 && given.compareTo(needed) < 0) {
      String level = needed.name().toLowerCase(Locale.ROOT);
      throw new IOException(
          "Cannot send "
              + what
              + " by RPC: "
              + CommonConfigurationKeysPublic.HADOOP_RPC_PROTECTION
              + "="
              + rpc
              + (isSecure ? "" : " without Kerberos, where it does nothing")
              + ", expected "
              + level
              + " as data transfer has by "
              + DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY
              + "="
              + isEncrypted(conf)
              + " and "
              + HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY
              + "="
              + conf.get(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, "")
              + "; set "
              + CommonConfigurationKeysPublic.HADOOP_RPC_PROTECTION
              + "="
              + level
              + (isSecure ? "" : " with Kerberos")
              + " on all hosts and clients, or protect neither");
    }
  }

  private static boolean isEncrypted(Configuration conf) {
    return conf.getBoolean(
        DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY,
        DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_DEFAULT);
  }

  private static Level needed(Configuration conf, boolean isSecure) {
    if (isEncrypted(conf)) {
      return Level.PRIVACY;
    }
    // Without Kerberos HDFS shakes no hands, whatever the key says.
    return isSecure
        ? weakest(conf.get(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, ""))
        : Level.NONE;
  }

  /** A caller may choose any of those that are listed. */
  private static Level weakest(String listed) {
    return Arrays.stream(listed.split(",", -1))
        .map(String::trim)
        .filter(each -> !each.isEmpty())
        .map(each -> Level.valueOf(each.toUpperCase(Locale.ROOT)))
        .min(Level::compareTo)
        .orElse(Level.NONE);
  }
}
