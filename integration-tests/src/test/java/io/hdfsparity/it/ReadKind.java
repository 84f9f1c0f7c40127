/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;

/** The ways in which a client can read some bytes of a file. */
enum ReadKind {
  SEEK_AND_READ {
    @Override
    byte[] read(FSDataInputStream in, int from, int length, Random random) throws IOException {
      byte[] bytes = new byte[length];
      in.seek(from);
      in.readFully(bytes);
      return bytes;
    }
  },
  SEEK_AND_READ_IN_PIECES {
    @Override
    byte[] read(FSDataInputStream in, int from, int length, Random random) throws IOException {
      byte[] bytes = new byte[length];
      int done = 0;
      while (done < length) {
        if (random.nextInt(4) == 0) {
          in.seek(random.nextInt(from + length));
        }
        in.seek(from + done);
        int count = in.read(bytes, done, 1 + random.nextInt(length - done));
        if (count < 0) {
          throw new EOFException("at " + in.getPos());
        }
        done += count;
      }
      return bytes;
    }
  },
  SEEK_AND_READ_BUFFER {
    @Override
    byte[] read(FSDataInputStream in, int from, int length, Random random) throws IOException {
      ByteBuffer buffer = buffer(length, random);
      in.seek(from);
      while (buffer.hasRemaining()) {
        if (in.read(buffer) < 0) {
          throw new EOFException("at " + in.getPos());
        }
      }
      return bytes(buffer);
    }
  },
  POSITIONAL {
    @Override
    byte[] read(FSDataInputStream in, int from, int length, Random random) throws IOException {
      byte[] bytes = new byte[length];
      in.readFully(from, bytes);
      return bytes;
    }
  },
  POSITIONAL_BUFFER {
    @Override
    byte[] read(FSDataInputStream in, int from, int length, Random random) throws IOException {
      ByteBuffer buffer = buffer(length, random);
      in.readFully(from, buffer);
      return bytes(buffer);
    }
  },
  VECTORED {
    @Override
    byte[] read(FSDataInputStream in, int from, int length, Random random) throws IOException {
      List<FileRange> ranges = new ArrayList<>();
      int at = from;
      while (at < from + length) {
        int part = 1 + random.nextInt(from + length - at);
        ranges.add(FileRange.createFileRange(at, part));
        at += part;
      }
      boolean isDirect = random.nextBoolean();
      in.readVectored(ranges, isDirect ? ByteBuffer::allocateDirect : ByteBuffer::allocate);
      byte[] bytes = new byte[length];
      for (FileRange range : ranges) {
        await(range.getData()).get(bytes, (int) range.getOffset() - from, range.getLength());
      }
      return bytes;
    }
  };

  /** Reads {@code length} bytes from offset {@code from}; both lie in the file. */
  abstract byte[] read(FSDataInputStream in, int from, int length, Random random)
      throws IOException;

  private static ByteBuffer buffer(int length, Random random) {
    return random.nextBoolean() ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.flip().remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private static ByteBuffer await(CompletableFuture<ByteBuffer> data) throws IOException {
    try {
      return data.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
