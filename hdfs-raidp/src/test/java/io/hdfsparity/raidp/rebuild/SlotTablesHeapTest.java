/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.lstor.ChecksumSpec;
import io.hdfsparity.raidp.lstor.HeapBytes;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCoverage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotStatus;
import io.hdfsparity.raidp.recovery.DeadDisk;
import io.hdfsparity.raidp.recovery.IndexedDisk;
import io.hdfsparity.raidp.recovery.ParitySource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Measures what a DataNode keeps of a slot table, for reads of lost blocks. */
class SlotTablesHeapTest {
  private static final int FRAMES = 50;
  private static final int ROWS_A_FRAME = 500;

  @Test
  void aRowTakesWhatTheBoundIsMadeOf() throws IOException {
    LstorGeometry geometry = LstorGeometry.of(FRAMES, 4 * ROWS_A_FRAME, 1 << 20);
    List<SlotEntry> rows = List.copyOf(rows());
    IndexedDisk disk =
        IndexedDisk.of(
            new DeadDisk(
                new ParitySource() {
                  @Override
                  public String diskId() {
                    return "disk";
                  }

                  @Override
                  public LstorGeometry geometry() {
                    return geometry;
                  }

                  @Override
                  public List<SlotEntry> rows() {
                    return rows;
                  }

                  @Override
                  public void readParity(ParityKind kind, long position, ByteBuffer dst) {
                    throw new UnsupportedOperationException();
                  }

                  @Override
                  public void requireUnchanged() {
                    throw new UnsupportedOperationException();
                  }
                },
                (row, kind, position, dst) -> {
                  throw new UnsupportedOperationException();
                },
                DeadDisk.NO_FRAME));
    double bytes = (double) HeapBytes.of(disk) / disk.rows();
    System.out.println("heap of a row that is kept for readers: " + bytes + " bytes");
    assertThat(bytes).isBetween(SlotTables.BYTES_PER_ROW * 0.8, SlotTables.BYTES_PER_ROW * 1.1);
    assertThat(disk.hasRow(1L << 30)).isTrue();
  }

  private static List<SlotEntry> rows() {
    List<SlotEntry> rows = new ArrayList<>();
    for (int frame = 0; frame < FRAMES; frame++) {
      for (int i = 0; i < ROWS_A_FRAME; i++) {
        rows.add(
            new SlotEntry(
                frame,
                (1L << 30) + rows.size(),
                1000L + rows.size(),
                List.of(new Run(4 * i, 4)),
                SlotCoverage.of(4L << 20, new ChecksumSpec(2, 512), 2),
                SlotStatus.LIVE_ACKNOWLEDGED));
      }
    }
    return rows;
  }
}
