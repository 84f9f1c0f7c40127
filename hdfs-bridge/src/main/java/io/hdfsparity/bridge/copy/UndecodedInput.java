/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.copy;

import io.hdfsparity.bridge.swap.DecodedException;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hdfs.DecodeCount;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.io.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file that is copied, and hands out only bytes that were read as they are stored. What a
 * stream decodes is what parity claims, and the swap deletes the units that could contradict it.
 *
 * <p>One failed read makes Hadoop's stream decode, and avoid that DataNode from then on. So a range
 * for which a stream has decoded is read again by a new one, and refused only after {@link
 * #MAX_TRIES} of them, or {@link #MAX_REOPENED} for all ranges of the file: a DataNode that fails
 * again and again is not worked around for hours. For one thread.
 */
public final class UndecodedInput implements Closeable {
  /** Streams that a range is tried with. */
  static final int MAX_TRIES = 3;

  /** Streams that are opened because another one has decoded. */
  public static final int MAX_REOPENED = 100;

  private final Source source;
  private final String path;
  private @Nullable HdfsDataInputStream in;
  private int reopened;

  /** The file, as it was before it was copied. */
  public interface Source {
    /**
     * Opens it.
     *
     * @return of which nothing was read, and which {@link DecodeCount} counts for
     * @throws IOException also when it is not what it was
     */
    HdfsDataInputStream open() throws IOException;

    /**
     * Sees to it that what a stream has read is what was opened.
     *
     * @throws IOException when it is not
     */
    void check(HdfsDataInputStream read) throws IOException;

    /**
     * Called before a range is read again, which takes time without a byte; does nothing.
     *
     * @throws IOException to end the copy
     */
    default void retrying() throws IOException {}
  }

  /**
   * Opens the file.
   *
   * @param path for messages
   */
  public UndecodedInput(Source source, String path) throws IOException {
    this.source = source;
    this.path = path;
    open();
  }

  private HdfsDataInputStream open() throws IOException {
    HdfsDataInputStream opened = source.open();
    in = opened;
    return opened;
  }

  /**
   * Reads some bytes.
   *
   * @param at offset of the first
   * @param length of them at most, > 0
   * @return how many; -1: none, the file ends there
   * @throws DecodedException if they can only be decoded
   * @throws IOException if they cannot be read
   */
  public int read(long at, byte[] buffer, int length) throws IOException {
    for (int attempt = 1; ; attempt++) {
      HdfsDataInputStream stream = in == null ? open() : in;
      if (stream.getPos() != at) {
        stream.seek(at);
      }
      int count = stream.read(buffer, 0, length);
      long decodings = DecodeCount.of(stream);
      if (decodings == 0) {
        return count;
      }
      if (attempt == MAX_TRIES || reopened == MAX_REOPENED) {
        throw new DecodedException(decodings, path);
      }
      reopened++;
      source.retrying();
      end();
    }
  }

  /** Ends the stream; what it has handed out stays good. */
  private void end() throws IOException {
    HdfsDataInputStream stream = in;
    in = null;
    if (stream != null) {
      try {
        source.check(stream);
      } finally {
        IOUtils.closeStream(stream);
      }
    }
  }

  /**
   * Sees to it that all that was read is of the file that was opened; to be called at the end.
   *
   * @throws IOException when it is not
   */
  public void check() throws IOException {
    if (in != null) {
      source.check(in);
    }
  }

  @Override
  public void close() {
    IOUtils.closeStream(in);
    in = null;
  }
}
