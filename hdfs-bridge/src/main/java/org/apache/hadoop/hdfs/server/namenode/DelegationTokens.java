/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;

/**
 * What a NameNode knows of the delegation tokens that it has issued, so that a server of a plugin
 * takes them as the NameNode's own server does.
 *
 * <p>Reaches: FSNamesystem.getDelegationTokenSecretManager(), package-private. It refuses every
 * token with StandbyException while the NameNode is not active. Checked for Hadoop 3.5.0.
 * Stateless.
 */
public final class DelegationTokens {
  private DelegationTokens() {}

  /** The secret manager, for the whole life of the namesystem. */
  public static DelegationTokenSecretManager of(FSNamesystem namesystem) {
    return namesystem.getDelegationTokenSecretManager();
  }
}
