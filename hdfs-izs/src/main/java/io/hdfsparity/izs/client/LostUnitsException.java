/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import io.hdfsparity.bridge.client.BlockGroup;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.izs.codec.ZigzagCode;
import java.io.IOException;
import java.util.SortedMap;

/** Bytes that are asked for were in units that are lost, and what is left does not give them. */
public final class LostUnitsException extends IOException {
  private static final long serialVersionUID = 1L;

  private LostUnitsException(ErrorMessage refusal) {
    super(refusal.message());
  }

  /** More units are lost than the code makes good. */
  static LostUnitsException tooMany(
      BlockGroup group, ZigzagCode code, SortedMap<Integer, String> lost) {
    int level = code.parityColumns();
    return new LostUnitsException(
        ErrorMessage.to("read a block group")
            .value("group", group.block())
            .value("lost units", lost)
            .expected(
                "at most %d of its %d units lost at level %d; bring back their DataNodes or replicas"
                    .formatted(level, code.columns(), level))
            .where("file", group.file())
            .where("groupOffset", group.startOffset()));
  }

  /** Nobody knows yet how long the parity cells of a stripe are going to be. */
  static LostUnitsException unfinished(BlockGroup group, SortedMap<Integer, String> lost) {
    return new LostUnitsException(
        ErrorMessage.to("decode the last stripe of a block group that is being written")
            .value("group", group.block())
            .value("lost units", lost)
            .expected(
                "no lost unit, or a file that is closed; read again after its writer closed it")
            .where("file", group.file())
            .where("groupOffset", group.startOffset()));
  }
}
