/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import io.hdfsparity.ecupdate.channel.TransferProtection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;

/** Whether a site's configuration lets the update channel run, on either end. Stateless. */
public final class ChannelProtection {
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
    if (isSecure && !UpdateKey.reader(conf).flag(UpdateKey.ALLOW_CLEAR)) {
      throw TransferProtection.refusedClear(UpdateKey.ALLOW_CLEAR.key());
    }
  }
}
