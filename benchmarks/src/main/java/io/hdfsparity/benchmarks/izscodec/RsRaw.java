/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.izscodec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/** A raw coder of Hadoop's codec {@code rs}, called as Hadoop calls it. Has no partial update. */
final class RsRaw implements Coder {
  private final String name;
  private final Cells cells;
  private final RawErasureEncoder encoder;
  private final RawErasureDecoder decoder;

  RsRaw(RawErasureCoderFactory factory, Cells cells) {
    this.cells = cells;
    name = factory.getCoderName().replace('_', ' ');
    ErasureCoderOptions options =
        new ErasureCoderOptions(cells.shape.dataUnits(), cells.shape.parityUnits());
    encoder = factory.createEncoder(options);
    decoder = factory.createDecoder(options);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String code() {
    return RsFromC.CODE;
  }

  @Override
  public boolean does(Work work) {
    return work.kind() != Work.Kind.UPDATE;
  }

  @Override
  public double shareRead(Work work) {
    return 1;
  }

  @Override
  public Cells cells() {
    return cells;
  }

  @Override
  public void run(Work work, int times) throws IOException {
    int[] lost = IntStream.range(0, work.losses()).toArray();
    ByteBuffer[] outputs = Arrays.copyOf(cells.recovered, work.losses());
    ByteBuffer[] units = cells.units();
    // As Hadoop does, give it k units and no more.
    Arrays.fill(units, 0, work.losses(), null);
    Arrays.fill(units, work.losses() + cells.shape.dataUnits(), units.length, null);
    for (int i = 0; i < times; i++) {
      if (work.kind() == Work.Kind.ENCODE) {
        encoder.encode(rewound(cells.data), rewound(cells.parity));
      } else {
        decoder.decode(rewound(units), lost, rewound(outputs));
      }
    }
    rewound(cells.data);
    rewound(cells.parity);
    rewound(cells.recovered);
  }

  /** Hadoop's coders move positions. */
  private static ByteBuffer[] rewound(ByteBuffer[] buffers) {
    for (ByteBuffer buffer : buffers) {
      if (buffer != null) {
        buffer.rewind();
      }
    }
    return buffers;
  }
}
