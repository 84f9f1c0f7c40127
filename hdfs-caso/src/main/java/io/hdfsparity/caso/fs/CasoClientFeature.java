/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.bridge.client.ClientFeature;
import io.hdfsparity.bridge.client.OrderedFileReader;
import io.hdfsparity.bridge.guard.CallerAbilities;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSClient;

/**
 * The part of CASO in clients: files in stored order are read in their own. Lengths are the same in
 * both orders; block locations are those of the stored order. Found by ServiceLoader. Stateless.
 */
public final class CasoClientFeature implements ClientFeature {
  @Override
  public String name() {
    return "caso";
  }

  @Override
  public Optional<String> ability() {
    return Optional.of(CallerAbilities.ORDERS);
  }

  @Override
  public Optional<OrderedFileReader> orderedFiles(DFSClient client) {
    return Optional.of(new LayoutStore(client));
  }
}
