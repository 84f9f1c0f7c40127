/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode;

import java.io.IOException;
import org.apache.hadoop.hdfs.security.token.block.BlockPoolTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;

/**
 * A manager of block tokens in front of another one, which gets the keys. Lines of Hadoop differ in
 * the signature of the method that brings them. Checked for Hadoop 3.4.3. Thread-safe.
 */
abstract class ForwardedBlockKeys extends BlockPoolTokenSecretManager {
  /** The manager that was there before. */
  final BlockPoolTokenSecretManager own;

  ForwardedBlockKeys(BlockPoolTokenSecretManager own) {
    this.own = own;
  }

  @Override
  public final void addKeys(String blockPool, ExportedBlockKeys keys) throws IOException {
    own.addKeys(blockPool, keys);
  }
}
