/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.ecupdate.net.TransferProtection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;

/** Whether a site's configuration lets the update channel run, on either end. Stateless. */
public final class ChannelProtection {
  /**
   * Whether updates are served and made although Kerberos is on: the channel authenticates no
   * DataNode and encrypts nothing.
   */
  public static final String ALLOW_CLEAR_KEY = TransferProtection.ALLOW_CLEAR_KEY;

  /** As it would stand in a site file. */
  public static final String ALLOW_CLEAR_DEFAULT = "false";

  private ChannelProtection() {}

  /**
   * Refuses a configuration that asks for more than the channel has.
   *
   * @throws IllegalArgumentException naming the key, the risk and the remedy
   */
  public static void require(Configuration conf) {
    TransferProtection.require(
        conf.get("dfs.data.transfer.protection"),
        conf.getBoolean("dfs.encrypt.data.transfer", false));
    boolean isSecure = SecurityUtil.getAuthenticationMethod(conf) != AuthenticationMethod.SIMPLE;
    if (isSecure && !new KeyReader(conf).flag(ALLOW_CLEAR_KEY, ALLOW_CLEAR_DEFAULT)) {
      throw TransferProtection.refusedClear();
    }
  }
}
