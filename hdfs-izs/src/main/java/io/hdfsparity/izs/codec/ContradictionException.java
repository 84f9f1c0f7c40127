/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.Collection;

/**
 * More units are there than are needed, and they do not say the same: the parity was not made by
 * codec izs, or some unit is of another time. Which one is wrong does not follow from them, so that
 * nothing is computed from any. Nor is a copy advised: it may be a data unit.
 */
public final class ContradictionException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Units contradict the others.
   *
   * @param refusal what is not done, and where
   * @param contradicted units that do not hold what {@code others} say of them
   * @param others units that they were compared with
   */
  public ContradictionException(
      ErrorMessage refusal, Collection<Integer> contradicted, Collection<Integer> others) {
    super(
        refusal
            .value("units that do not fit", contradicted)
            .expected(
                "the bytes that units "
                    + others
                    + " say; their parity was not made by codec izs, or a unit is of another time:"
                    + " bring back the lost units, then see what hdfs izs -verify <file> says")
            .message());
  }
}
