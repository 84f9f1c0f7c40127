/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Collection;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSelector;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;

/**
 * A plugin's server in a NameNode, as clients find it. Immutable.
 *
 * @param nameservice of the NameNode; empty: none is configured
 * @param nameNode where the NameNode itself listens
 * @param address where the plugin's server listens
 */
public record NameNodeServer(
    String nameservice, InetSocketAddress nameNode, InetSocketAddress address) {

  /**
   * Lets the current user call the server by the delegation token of the NameNode or of its
   * nameservice, where there is one: that is all that a task of a job has on a cluster secured by
   * Kerberos. Hadoop finds a token by the address that is called, and the token knows the
   * NameNode's. As for the NameNodes of a nameservice ({@link
   * HAUtilClient#cloneDelegationTokenForLogicalUri}), the clone is private: it is not handed on to
   * jobs. To be repeated for each connection, for the token may be another by then.
   */
  public void shareToken() throws IOException {
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    Collection<Token<? extends TokenIdentifier>> tokens = user.getTokens();
    // A host without an address cannot be called, which the call itself says best.
    if (tokens.isEmpty() || nameNode.isUnresolved() || address.isUnresolved()) {
      return;
    }
    DelegationTokenSelector selector = new DelegationTokenSelector();
    Token<DelegationTokenIdentifier> token = null;
    // First the user's own: that of a NameNode may be an older clone of it.
    if (!nameservice.isEmpty()) {
      URI uri = URI.create(HdfsConstants.HDFS_URI_SCHEME + "://" + nameservice);
      Text service =
          HAUtilClient.buildTokenServiceForLogicalUri(uri, HdfsConstants.HDFS_URI_SCHEME);
      token = selector.selectToken(service, tokens);
    }
    if (token == null) {
      token = selector.selectToken(SecurityUtil.buildTokenService(nameNode), tokens);
    }
    if (token != null) {
      user.addToken(token.privateClone(SecurityUtil.buildTokenService(address)));
    }
  }
}
