/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import io.hdfsparity.bridge.client.ClientFeature;
import io.hdfsparity.bridge.client.GroupReader;
import io.hdfsparity.izs.rawcoder.IzsRawErasureCoderFactory;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The part of IZS in clients: files of codec {@code izs} are read at any offset with up to r units
 * of each block group lost, and an IOException is thrown with more. Found by ServiceLoader.
 * Thread-safe.
 */
public final class IzsClientFeature implements ClientFeature {
  /** Null until a file of codec izs is opened: it loads the kernel of this machine. */
  private @Nullable IzsGroupReaders readers;

  @Override
  public String name() {
    return "izs";
  }

  @Override
  public Optional<GroupReader> readerFor(ErasureCodingPolicy policy) throws IOException {
    return policy.getCodecName().equals(IzsRawErasureCoderFactory.CODEC)
        ? readers().readerFor(policy)
        : Optional.empty();
  }

  private synchronized IzsGroupReaders readers() {
    if (readers == null) {
      readers = new IzsGroupReaders();
    }
    return readers;
  }
}
