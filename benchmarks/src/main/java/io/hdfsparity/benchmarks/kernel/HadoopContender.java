/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.kernel;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.XORRawEncoder;

/** Hadoop's own Java coders. They have no delta update. */
final class HadoopContender implements Contender {
  private final Stripe stripe;
  private final RSRawEncoder encoder;
  private final RSRawDecoder decoder;
  private final XORRawEncoder xor = new XORRawEncoder(new ErasureCoderOptions(2, 1));
  private final ByteBuffer[] units;
  private final ByteBuffer[] xorInputs;
  private final ByteBuffer[] xorOutput;

  HadoopContender(Stripe stripe) {
    this.stripe = stripe;
    ErasureCoderOptions options = new ErasureCoderOptions(Stripe.DATA_UNITS, Stripe.PARITY_UNITS);
    encoder = new RSRawEncoder(options);
    decoder = new RSRawDecoder(options);
    units = new ByteBuffer[Stripe.DATA_UNITS + Stripe.PARITY_UNITS];
    System.arraycopy(stripe.data, 3, units, 3, 3);
    System.arraycopy(stripe.parity, 0, units, Stripe.DATA_UNITS, Stripe.PARITY_UNITS);
    // Its coder clears the output first, so it cannot XOR in place: the sum goes to a third cell.
    xorInputs = new ByteBuffer[] {stripe.parity[0], stripe.data[0]};
    xorOutput = new ByteBuffer[] {stripe.recovered[0]};
  }

  @Override
  public String name() {
    return "hadoop-java";
  }

  @Override
  public Stripe stripe() {
    return stripe;
  }

  @Override
  public boolean does(Operation operation) {
    return operation != Operation.UPDATE && operation != Operation.ADD_TWICE;
  }

  @Override
  public void run(Operation operation, int times) throws IOException {
    for (int i = 0; i < times; i++) {
      switch (operation) {
        case ENCODE -> encoder.encode(rewound(stripe.data), rewound(stripe.parity));
        case DECODE ->
            decoder.decode(rewound(units), new int[] {0, 1, 2}, rewound(stripe.recovered));
        case XOR -> xor.encode(rewound(xorInputs), rewound(xorOutput));
        default ->
            throw new IllegalArgumentException(
                "Cannot run: operation=" + operation + ", expected one that Hadoop's coders have");
      }
    }
    rewound(stripe.data);
    rewound(stripe.parity);
    rewound(stripe.recovered);
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
