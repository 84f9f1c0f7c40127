/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import io.hdfsparity.bridge.client.BlockGroup;
import io.hdfsparity.bridge.client.GroupReader;
import io.hdfsparity.bridge.client.InternalBlocks;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.IzsFamily;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads block groups of one code and cell size. Thread-safe. */
final class IzsGroupReader implements GroupReader {
  private final IzsCodec codec;
  private final ReadPlanner planner;
  private final ComparedParities compared = new ComparedParities();

  /**
   * A reader.
   *
   * @throws IllegalArgumentException if {@link IzsFamily} does not offer such a code
   */
  IzsGroupReader(Kernel kernel, int dataUnits, int parityUnits, int cellBytes) {
    this.codec = new IzsCodec(kernel, IzsFamily.code(dataUnits, parityUnits));
    this.planner = new ReadPlanner(codec.code(), cellBytes);
  }

  @Override
  public void read(InternalBlocks blocks, BlockGroup group, long offset, ByteBuffer target)
      throws IOException {
    new GroupRead(codec, planner, compared, blocks, group, offset, target).run();
  }

  /** Compares groups of the same code and cell size. */
  GroupCheck check() {
    return new GroupCheck(codec, planner);
  }
}
