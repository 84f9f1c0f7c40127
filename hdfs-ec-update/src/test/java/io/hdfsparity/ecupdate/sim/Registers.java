/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.sim;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Every byte of every data block is a register of its own; values are unique in each. */
final class Registers {
  private final List<List<RegisterHistory>> histories = new ArrayList<>();
  private final int[][] initial;
  private final int[][] written;
  private final Timeline time;

  Registers(List<Bytes> data, Timeline time) {
    this.time = time;
    initial = new int[data.size()][Simulation.BLOCK_BYTES];
    written = new int[data.size()][Simulation.BLOCK_BYTES];
    for (int block = 0; block < data.size(); block++) {
      List<RegisterHistory> ofBlock = new ArrayList<>();
      for (int at = 0; at < Simulation.BLOCK_BYTES; at++) {
        initial[block][at] = data.get(block).at(at);
        ofBlock.add(new RegisterHistory(initial[block][at]));
      }
      histories.add(ofBlock);
    }
  }

  /** A patch of values never written before. */
  Patch nextPatch(int block, Random random) {
    int offset = random.nextInt(Simulation.BLOCK_BYTES);
    int length = 1 + random.nextInt(Simulation.BLOCK_BYTES - offset);
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      int value = initial[block][offset + i] ^ ++written[block][offset + i];
      bytes[i] = (byte) value;
    }
    return new Patch(offset, Bytes.wrap(bytes));
  }

  void writeBegan(int block, Patch patch) {
    for (int i = 0; i < patch.bytes().length(); i++) {
      histories.get(block).get(patch.offset() + i).writeBegan(patch.bytes().at(i), time.now());
    }
  }

  void writeEnded(int block, Patch patch) {
    for (int i = 0; i < patch.bytes().length(); i++) {
      histories.get(block).get(patch.offset() + i).writeEnded(patch.bytes().at(i), time.now());
    }
  }

  void read(int block, Bytes bytes, long began, long ended) {
    for (int i = 0; i < bytes.length(); i++) {
      histories.get(block).get(i).read(bytes.at(i), began, ended);
    }
  }

  void check() {
    for (int block = 0; block < histories.size(); block++) {
      for (int at = 0; at < Simulation.BLOCK_BYTES; at++) {
        histories.get(block).get(at).check("block " + block + " byte " + at);
      }
    }
  }
}
