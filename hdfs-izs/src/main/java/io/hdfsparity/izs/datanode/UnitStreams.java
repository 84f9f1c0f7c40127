/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.core.geometry.ByteRange;
import io.hdfsparity.izs.repair.UnitRead;
import io.hdfsparity.izs.verify.VerifyReads.Codeword;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.BlockReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads codewords of a group in order, one unit after the other. Where the next codeword begins at
 * the byte behind the last one, as whole stripes do, a unit is one read from the first byte to its
 * end. Used by one thread.
 */
final class UnitStreams implements Closeable {
  private final Map<Integer, HelperConnection> connections;
  private final Map<Integer, Long> endOffsets;
  private final Map<Integer, OpenRead> open = new HashMap<>();
  private long readBytes;

  /** A read that goes on. */
  private static final class OpenRead {
    private final BlockReader reader;
    private long nextOffset;
    private long leftBytes;

    private OpenRead(BlockReader reader, ByteRange range) {
      this.reader = reader;
      this.nextOffset = range.offsetBytes();
      this.leftBytes = range.lengthBytes();
    }
  }

  /**
   * @param connections by unit
   * @param endOffsets how far a read goes that is begun, by unit; a range that goes further is read
   *     by itself
   */
  UnitStreams(Map<Integer, HelperConnection> connections, Map<Integer, Long> endOffsets) {
    this.connections = Map.copyOf(connections);
    this.endOffsets = Map.copyOf(endOffsets);
  }

  /** A unit could not be read. */
  static final class UnreadableException extends IOException {
    private static final long serialVersionUID = 1L;

    private UnreadableException(int unit, IOException cause) {
      super("unit " + unit + ": " + cause.getMessage(), cause);
    }
  }

  /** Bytes read so far. */
  long readBytes() {
    return readBytes;
  }

  /**
   * Fills columns from their beginning, the rest with zeros; from position 0 to the codeword's
   * length.
   *
   * @param columns one a unit
   * @throws UnreadableException naming the unit
   */
  void read(Codeword codeword, ByteBuffer[] columns) throws UnreadableException {
    for (ByteBuffer column : columns) {
      column.clear().limit(codeword.codewordBytes());
    }
    for (UnitRead read : codeword.reads()) {
      ByteBuffer column = columns[read.unit()];
      try {
        for (ByteRange range : read.ranges()) {
          read(read.unit(), range, column);
        }
      } catch (IOException e) {
        throw new UnreadableException(read.unit(), e);
      }
    }
    for (ByteBuffer column : columns) {
      while (column.hasRemaining()) {
        column.put((byte) 0);
      }
      column.flip();
    }
  }

  private void read(int unit, ByteRange range, ByteBuffer into) throws IOException {
    OpenRead from = open.get(unit);
    if (from == null || from.nextOffset != range.offsetBytes()) {
      close(unit);
      from = begin(unit, range);
    }
    int end = into.limit();
    into.limit(into.position() + (int) range.lengthBytes());
    try {
      while (into.hasRemaining()) {
        int bytes = from.reader.read(into);
        if (bytes <= 0) {
          throw new EOFException("Cannot read: expected " + into.remaining() + " more bytes");
        }
        from.nextOffset += bytes;
        from.leftBytes -= bytes;
        readBytes += bytes;
      }
    } finally {
      into.limit(end);
    }
    if (from.leftBytes == 0) {
      // All was read: its connection can be used again.
      open.remove(unit);
      from.reader.close();
    }
  }

  private OpenRead begin(int unit, ByteRange range) throws IOException {
    HelperConnection connection = connections.get(unit);
    if (connection == null) {
      throw new IOException("no DataNode has it");
    }
    long end = Math.max(range.endOffset(), endOffsets.getOrDefault(unit, 0L));
    ByteRange whole = ByteRange.between(range.offsetBytes(), end);
    OpenRead begun = new OpenRead(connection.open(whole), whole);
    open.put(unit, begun);
    return begun;
  }

  private void close(int unit) throws IOException {
    @Nullable OpenRead from = open.remove(unit);
    if (from != null) {
      from.reader.close();
    }
  }

  @Override
  public void close() {
    // What is being read is of no use any more.
    connections.values().forEach(HelperConnection::close);
    open.clear();
  }
}
