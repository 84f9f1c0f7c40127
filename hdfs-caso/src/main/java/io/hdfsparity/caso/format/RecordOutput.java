/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.format;

import io.hdfsparity.core.framing.RecordFormat;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Writes a {@link RecordFile} from its start. Not thread-safe. */
public final class RecordOutput implements Closeable {
  private final RecordFile format;
  private final OutputStream out;
  private long sequence;

  /**
   * Writes the header.
   *
   * @param out is closed with this
   * @param owner whose the file is
   */
  public RecordOutput(RecordFile format, OutputStream out, String owner, ByteBuffer headerPayload)
      throws IOException {
    this.format = format;
    this.out = out;
    write(format.header().encode(owner, headerPayload));
  }

  /** Appends a record; the payload is used from position to limit, which stay. */
  public void append(ByteBuffer payload) throws IOException {
    ByteBuffer record = ByteBuffer.allocate(RecordFormat.recordBytes(payload.remaining()));
    format.record().encode(++sequence, payload, record);
    write(record.flip());
  }

  private void write(ByteBuffer bytes) throws IOException {
    out.write(bytes.array(), bytes.arrayOffset(), bytes.limit());
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
