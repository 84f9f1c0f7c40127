/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.repair;

import io.hdfsparity.core.geometry.ByteRange;
import io.hdfsparity.izs.codec.IzsCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A whole block group in memory, made and rebuilt in the dumbest way. */
final class GroupTwin {
  private final GroupShape shape;
  private final IzsCodec codec;
  private final byte[][] units;

  private GroupTwin(GroupShape shape, IzsCodec codec, byte[][] units) {
    this.shape = shape;
    this.codec = codec;
    this.units = units;
  }

  static GroupTwin random(GroupShape shape, IzsCodec codec, Random random) {
    byte[][] units = new byte[shape.units()][];
    for (int unit = 0; unit < units.length; unit++) {
      units[unit] = new byte[(int) shape.blockBytes(unit)];
      random.nextBytes(units[unit]);
    }
    GroupTwin twin = new GroupTwin(shape, codec, units);
    for (long stripe = 0; stripe < shape.stripes(); stripe++) {
      ByteBuffer[] data = new ByteBuffer[shape.dataUnits()];
      ByteBuffer[] parity = new ByteBuffer[shape.parityUnits()];
      for (int unit = 0; unit < shape.units(); unit++) {
        ByteBuffer column = ByteBuffer.wrap(twin.column(unit, stripe));
        if (unit < shape.dataUnits()) {
          data[unit] = column;
        } else {
          parity[unit - shape.dataUnits()] = column;
        }
      }
      codec.encode(data, parity);
      for (int g = 0; g < parity.length; g++) {
        parity[g].get(
            0,
            units[shape.dataUnits() + g],
            (int) shape.cellOffset(stripe),
            shape.codewordBytes(stripe));
      }
    }
    return twin;
  }

  /** A cell, filled up with zeros. */
  private byte[] column(int unit, long stripe) {
    int from = (int) shape.cellOffset(stripe);
    byte[] cell = Arrays.copyOfRange(units[unit], from, from + shape.cellBytes(unit, stripe));
    return Arrays.copyOf(cell, shape.codewordBytes(stripe));
  }

  byte[] unit(int unit) {
    return units[unit];
  }

  /** Bytes of a unit that a plan reads from a stripe on, in order. */
  ByteBuffer delivered(List<ByteRange> requests, int unit) {
    int bytes = requests.stream().mapToInt(range -> (int) range.lengthBytes()).sum();
    ByteBuffer all = ByteBuffer.allocate(bytes);
    for (ByteRange request : requests) {
      all.put(units[unit], (int) request.offsetBytes(), (int) request.lengthBytes());
    }
    return all.flip();
  }

  /** Rebuilds the wanted cells of a stripe from bytes that were read, by unit. */
  byte[][] rebuild(GroupReads plan, long stripe, ByteBuffer[] streams) throws Exception {
    StripeReads reads = plan.stripe(stripe);
    int codewordBytes = shape.codewordBytes(stripe);
    List<ByteBuffer> inputs = new ArrayList<>();
    for (UnitRead read : reads.reads()) {
      byte[] bytes = new byte[(int) read.lengthBytes()];
      streams[read.unit()].get(bytes);
      inputs.add(ByteBuffer.wrap(reads.isHalf() ? bytes : Arrays.copyOf(bytes, codewordBytes)));
    }
    ByteBuffer[] outputs = new ByteBuffer[reads.wanted().size()];
    Arrays.setAll(outputs, i -> ByteBuffer.allocate(codewordBytes));
    if (reads.isHalf()) {
      codec.repair(plan.halfPlan().orElseThrow(), inputs.toArray(ByteBuffer[]::new), outputs[0]);
    } else {
      @Nullable ByteBuffer[] columns = new ByteBuffer[shape.units()];
      for (int empty : reads.emptyUnits()) {
        columns[empty] = ByteBuffer.allocate(codewordBytes);
      }
      for (int i = 0; i < inputs.size(); i++) {
        columns[reads.reads().get(i).unit()] = inputs.get(i);
      }
      codec.decode(columns, reads.wanted().stream().mapToInt(i -> i).toArray(), outputs);
    }
    byte[][] cells = new byte[outputs.length][];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = Arrays.copyOf(outputs[i].array(), shape.cellBytes(reads.wanted().get(i), stripe));
    }
    return cells;
  }
}
