/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.layout.PlanCosts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Measures what {@code -plan} says of the memory of a DataNode. */
class SlotRowHeapTest {
  private static final int FRAMES = 50;
  private static final int ROWS_A_FRAME = 500;

  @Test
  void aRowTakesWhatThePlanSays() {
    SlotTable table =
        new SlotTable(LstorGeometry.of(FRAMES, 4 * ROWS_A_FRAME, 1 << 20), FRAMES * ROWS_A_FRAME);
    long before = HeapBytes.of(table);
    int row = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
      for (int i = 0; i < ROWS_A_FRAME; i++) {
        SlotEntry entry =
            new SlotEntry(
                frame,
                (1L << 30) + row,
                1000L + row,
                List.of(new Run(4 * i, 4)),
                SlotCoverage.of(4L << 20, new ChecksumSpec(2, 512), 2),
                SlotStatus.LIVE_ACKNOWLEDGED);
        table.put(row++, entry);
      }
    }
    double bytes = (double) (HeapBytes.of(table) - before) / table.size();
    System.out.println("heap of a row of the slot table: " + bytes + " bytes");
    assertThat(bytes).isBetween(PlanCosts.ROW_HEAP_BYTES * 0.9, PlanCosts.ROW_HEAP_BYTES * 1.1);
  }
}
