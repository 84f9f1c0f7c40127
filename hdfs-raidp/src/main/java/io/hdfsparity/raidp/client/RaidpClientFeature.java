/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.client;

import io.hdfsparity.bridge.client.ClientFeature;
import io.hdfsparity.bridge.client.LostBlockReader;
import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.raidp.config.RaidpKey;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * The part of RAIDP in clients: a block whose replicas are all lost is read by decoding, before it
 * is rebuilt. Found by ServiceLoader. Stateless.
 */
public final class RaidpClientFeature implements ClientFeature {
  @Override
  public String name() {
    return "raidp";
  }

  @Override
  public Optional<LostBlockReader> lostBlocks(URI nameNode, Configuration conf) {
    return new KeyReader(conf).flag(RaidpKey.CLIENT_DEGRADED_READS)
        ? Optional.of(new DegradedReads(nameNode, conf))
        : Optional.empty();
  }
}
