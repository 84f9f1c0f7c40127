/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import io.hdfsparity.core.check.ErrorMessage;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;

/**
 * Whether a site's configuration asks for protected connections of the update channel. There is one
 * kind of these, which has what {@code privacy} asks for, so nothing has to be agreed upon.
 * Stateless.
 */
public final class ChannelProtection {
  private static final String AUTHENTICATION = "authentication";

  private ChannelProtection() {}

  /**
   * Whether connections in clear are refused, on either end: where Hadoop would encrypt data
   * transfer or protect its integrity, and with Kerberos, unless the key {@code
   * channel.allow-clear} allows it. That key allows nothing that Hadoop's keys forbid.
   */
  public static boolean isRequired(Configuration conf) {
    if (conf.getBoolean("dfs.encrypt.data.transfer", false)) {
      return true;
    }
    // Of a list the client chooses the first; every one of it may be what a peer relies on.
    for (String each : conf.get("dfs.data.transfer.protection", "").split(",", -1)) {
      String asked = each.trim().toLowerCase(Locale.ROOT);
      if (!asked.isEmpty() && !asked.equals(AUTHENTICATION)) {
        return true;
      }
    }
    boolean isSecure = SecurityUtil.getAuthenticationMethod(conf) != AuthenticationMethod.SIMPLE;
    return isSecure && !UpdateKey.reader(conf).flag(UpdateKey.ALLOW_CLEAR);
  }

  /** Why nothing is protected on a cluster without block tokens. */
  public static String needsTokens() {
    return ErrorMessage.to("protect the update channel")
        .value("dfs.block.access.token.enable", "false")
        .expected(
            "true on NameNodes and DataNodes: hadoop.security.authentication,"
                + " dfs.data.transfer.protection or dfs.encrypt.data.transfer asks for protected"
                + " connections, and the passwords of block tokens protect them")
        .message();
  }
}
