/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.core.check.ErrorMessage;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What Hadoop's configuration asks of connections that carry data, and whether the update channel
 * has it. It has block tokens or their like, and CRCs against damage; it has no SASL, no MACs and
 * no encryption. Stateless.
 */
public final class TransferProtection {
  private static final String AUTHENTICATION = "authentication";

  private TransferProtection() {}

  /**
   * Refuses a configuration that asks for more than the channel has, before the node listens or the
   * client connects. Updates would otherwise travel in clear where everything else is protected.
   *
   * @param protection {@code dfs.data.transfer.protection}; null or empty if it is not set
   * @param isEncrypted {@code dfs.encrypt.data.transfer}
   * @throws IllegalArgumentException with key and remedy
   */
  public static void require(@Nullable String protection, boolean isEncrypted) {
    if (isEncrypted) {
      throw refused("dfs.encrypt.data.transfer", "true", "false");
    }
    String asked = protection == null ? "" : protection.trim().toLowerCase(Locale.ROOT);
    // Of a list the client chooses the first; every one of it may be what a peer relies on.
    for (String one : asked.split(",", -1)) {
      if (!one.isBlank() && !one.trim().equals(AUTHENTICATION)) {
        throw refused("dfs.data.transfer.protection", asked, "unset or " + AUTHENTICATION);
      }
    }
  }

  /**
   * The refusal where a cluster has Kerberos: HDFS itself would let DataNode and client prove to
   * each other who they are, or have ports that only root can take.
   *
   * @param allowKey by which an administrator allows it all the same
   */
  public static IllegalArgumentException refusedClear(String allowKey) {
    return new IllegalArgumentException(
        ErrorMessage.to("update files in place")
            .value("hadoop.security.authentication", "kerberos")
            .value(allowKey, "false")
            .expected(
                "true: the update channel sends block tokens and data in clear, and its DataNodes do"
                    + " not prove who they are, so whoever can listen on the network, or answer in a"
                    + " DataNode's place, can change the files that are updated; set the key on"
                    + " clients and DataNodes only where nobody else reaches their network, or turn"
                    + " in-place updates off on this cluster")
            .message());
  }

  private static IllegalArgumentException refused(String key, String value, String rule) {
    return new IllegalArgumentException(
        ErrorMessage.to("update files in place")
            .value(key, value)
            .expected(
                rule
                    + ": the update channel has neither integrity protection nor encryption; turn"
                    + " in-place updates off on this cluster")
            .message());
  }
}
