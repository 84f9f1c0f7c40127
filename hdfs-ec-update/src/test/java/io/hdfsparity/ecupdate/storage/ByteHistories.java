/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.sim.RegisterHistory;
import java.util.Random;

/**
 * Every byte of a stripe's data blocks as a register of its own, written and read by threads.
 * Thread-safe; time is the order of its calls.
 */
final class ByteHistories {
  private final RegisterHistory[][] histories;
  private final int[][] initial;
  private final int[][] written;
  private long now;

  ByteHistories(EngineCluster cluster, int stripe) {
    int blocks = EngineCluster.CODE.shape().dataBlocks();
    histories = new RegisterHistory[blocks][TestDisk.CELL_BYTES];
    initial = new int[blocks][TestDisk.CELL_BYTES];
    written = new int[blocks][TestDisk.CELL_BYTES];
    for (int block = 0; block < blocks; block++) {
      Bytes cell = EngineCluster.cell(cluster.initial(block), stripe);
      for (int at = 0; at < cell.length(); at++) {
        initial[block][at] = cell.at(at);
        histories[block][at] = new RegisterHistory(cell.at(at));
      }
    }
  }

  /** A patch of values never written before; its write begins now. */
  synchronized Patch beginWrite(int block, Random random) {
    int offset = random.nextInt(TestDisk.CELL_BYTES);
    byte[] bytes = new byte[1 + random.nextInt(TestDisk.CELL_BYTES - offset)];
    now++;
    for (int i = 0; i < bytes.length; i++) {
      int count = ++written[block][offset + i];
      if (count > 255) {
        throw new IllegalStateException("No value is left for a byte: write less");
      }
      int value = initial[block][offset + i] ^ count;
      bytes[i] = (byte) value;
      histories[block][offset + i].writeBegan(value, now);
    }
    return new Patch(offset, Bytes.wrap(bytes));
  }

  synchronized void endWrite(int block, Patch patch) {
    now++;
    for (int i = 0; i < patch.bytes().length(); i++) {
      histories[block][patch.offset() + i].writeEnded(patch.bytes().at(i), now);
    }
  }

  synchronized long beginRead() {
    return ++now;
  }

  synchronized void endRead(int block, int offset, Bytes bytes, long began) {
    now++;
    for (int i = 0; i < bytes.length(); i++) {
      histories[block][offset + i].read(bytes.at(i), began, now);
    }
  }

  synchronized void check(String stripe) {
    for (int block = 0; block < histories.length; block++) {
      for (int at = 0; at < histories[block].length; at++) {
        histories[block][at].check(stripe + " block " + block + " byte " + at);
      }
    }
  }
}
