/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.cli.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Kerberos by a keytab, for a program that runs for longer than a ticket can be renewed. Hadoop's
 * RPC client logs in again when a connection finds the ticket expired ({@link
 * UserGroupInformation#reloginFromKeytab}): that holds for the login of the process only, so this
 * is that.
 *
 * @param principal {@code _HOST} in it stands for this host's name
 */
record KeytabLogin(String principal, Path keytab) {

  /**
   * Logs the process in.
   *
   * @throws UsageException when the cluster does not use Kerberos
   * @throws IOException when the keytab cannot be read, or has no valid key of the principal
   */
  void login(Configuration conf) throws IOException, UsageException {
    UserGroupInformation.setConfiguration(conf);
    if (!UserGroupInformation.isSecurityEnabled()) {
      throw new UsageException(
          "a keytab is of use with hadoop.security.authentication=kerberos only");
    }
    if (!Files.isReadable(keytab)) {
      throw new IOException(
          ErrorMessage.to("log in")
              .value("keytab", keytab)
              .expected("a file that can be read")
              .message());
    }
    // Only _HOST needs a name of this host, and may fail for want of one.
    String name = SecurityUtil.getServerPrincipal(principal, /* hostname= */ "");
    try {
      UserGroupInformation.loginUserFromKeytab(name, keytab.toString());
    } catch (IOException e) {
      throw new IOException(
          ErrorMessage.to("log in")
              .value("principal", name)
              .expected("one with a valid key in " + keytab + ", and a reachable KDC")
              .message(),
          e);
    }
  }
}
