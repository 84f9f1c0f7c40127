/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import io.hdfsparity.bridge.client.GroupReader;
import io.hdfsparity.bridge.client.GroupReaderChoice;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.rawcoder.IzsRawErasureCoderFactory;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;

/**
 * Claims the files of codec {@code izs}. Readers, and so decode plans, are kept by code and cell
 * size. Thread-safe.
 */
final class IzsGroupReaders implements GroupReaderChoice {
  private final Kernel kernel;
  private final ConcurrentHashMap<Shape, IzsGroupReader> readers = new ConcurrentHashMap<>();

  private record Shape(int dataUnits, int parityUnits, int cellBytes) {}

  /** By the best kernel of this machine. */
  IzsGroupReaders() {
    this(Kernels.best());
  }

  IzsGroupReaders(Kernel kernel) {
    this.kernel = kernel;
  }

  @Override
  public Optional<GroupReader> readerFor(ErasureCodingPolicy policy) throws IOException {
    return find(policy).map(reader -> reader);
  }

  /** The reader for files of a policy, as {@link #readerFor}. */
  Optional<IzsGroupReader> find(ErasureCodingPolicy policy) throws IOException {
    if (!policy.getCodecName().equals(IzsRawErasureCoderFactory.CODEC)) {
      return Optional.empty();
    }
    if (!IzsFamily.isOffered(policy.getNumDataUnits(), policy.getNumParityUnits())) {
      throw new IOException(
          ErrorMessage.to("read a file of codec izs")
              .value("policy", policy.getName())
              .expected(
                  "k of "
                      + IzsFamily.dataColumns()
                      + " and r of 1.."
                      + IzsFamily.MAX_PARITY_COLUMNS)
              .message());
    }
    Shape shape =
        new Shape(policy.getNumDataUnits(), policy.getNumParityUnits(), policy.getCellSize());
    return Optional.of(
        readers.computeIfAbsent(
            shape, s -> new IzsGroupReader(kernel, s.dataUnits(), s.parityUnits(), s.cellBytes())));
  }
}
