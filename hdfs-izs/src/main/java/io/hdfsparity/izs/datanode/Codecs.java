/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.codec.ZigzagCode;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** The codecs of a node, made at first use and kept with their plans. Thread-safe. */
final class Codecs {
  private final ConcurrentHashMap<Code, Pair> pairs = new ConcurrentHashMap<>();

  private record Code(int dataUnits, int parityUnits) {}

  /**
   * Two codecs of one code; a plan of one is a plan of the other.
   *
   * @param fast on the best kernel of this machine
   * @param reference on the simplest kernel, to verify what the other one computed
   */
  record Pair(IzsCodec fast, IzsCodec reference) {}

  /**
   * Codecs of a policy's code.
   *
   * @throws IllegalArgumentException if IZS has no such code
   */
  Pair of(int dataUnits, int parityUnits) {
    return pairs.computeIfAbsent(new Code(dataUnits, parityUnits), Codecs::make);
  }

  private static Pair make(Code wanted) {
    ZigzagCode code = IzsFamily.code(wanted.dataUnits, wanted.parityUnits);
    List<Kernel> kernels = Kernels.table().supported();
    return new Pair(
        new IzsCodec(Kernels.best(), code), new IzsCodec(kernels.get(kernels.size() - 1), code));
  }
}
