/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hdfsparity.core.framing.HeaderFormat;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbesTest {
  @Test
  void processorTimeIsReadBehindANameWithBlanks() {
    String stat = "42 (a b) c) S 1 2 3 4 5 6 7 8 9 10 250 50 13 14 15";
    assertThat(ProcessorTime.parse(stat)).isCloseTo(3.0, within(1e-9));
  }

  @Test
  void stateFilesAreCountedWithTheirCells(@TempDir Path folder) throws Exception {
    HeaderFormat format = new HeaderFormat("ECUPSTAT", 1, 1);
    ByteBuffer payload = ByteBuffer.allocate(16);
    ByteBuffer header = format.encode("BP-1/5", payload);
    ByteBuffer file = ByteBuffer.allocate(header.remaining() + 130);
    file.put(header).putInt(header.limit() + 26, 4);
    Files.write(Files.createDirectory(folder.resolve("a")).resolve("blk_5.state"), file.array());
    Files.write(folder.resolve("blk_5.plr"), new byte[10]);
    StateFiles found = StateFiles.below(folder);
    assertThat(found.files()).isEqualTo(1);
    assertThat(found.slots()).isEqualTo(4);
    assertThat(found.bytesPerSlot()).isCloseTo(file.array().length / 4.0, within(1e-9));
  }

  @Test
  void cellsInRunsAreCounted() throws Exception {
    ByteBuffer header =
        new HeaderFormat("ECUPSTAT", 1, 2).encode("BP-1/5", ByteBuffer.allocate(16));
    ByteBuffer file = ByteBuffer.allocate(header.remaining() + 26 + 4 + 2 * 16 + 4);
    file.put(header).position(header.limit() + 26);
    file.putInt(2).putInt(0).putInt(5).putLong(1).putInt(9).putInt(2).putLong(3).putInt(1);
    assertThat(StateFiles.of(file.array(), "here").slots()).isEqualTo(8);
  }

  @Test
  void aCellTakesMemory() {
    assertThat(SlotMemory.bytesPerSlot()).isBetween(50.0, 5000.0);
  }

  @Test
  void aForceTakesTime(@TempDir Path folder) throws Exception {
    assertThat(ForceProbe.medianMs(folder, 4096)).isPositive();
    assertThat(folder).isEmptyDirectory();
  }
}
