/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.core.store.PrivateFiles;
import io.hdfsparity.ecupdate.storage.ReservedArea;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Notes what the engine of a storage asks of its files, for measurements: a line each, {@code
 * nanoseconds R|W|F offset bytes file}, in the order in which it was done. R reads, W writes, F
 * makes a file durable (offset and bytes are 0). Lines are in the file when the call returns. What
 * is not traced goes past it. Thread-safe.
 */
final class IoTrace implements Closeable {
  private static final String SUFFIX = ".io";

  private final OutputStream out;

  private IoTrace(OutputStream out) {
    this.out = out;
  }

  /** Continues with the trace of a storage in a directory, which is made. */
  static IoTrace open(Path directory, String storageId) throws IOException {
    PrivateFiles.makeDirectories(directory);
    return new IoTrace(
        Channels.newOutputStream(
            PrivateFiles.open(
                directory.resolve(storageId + SUFFIX),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND)));
  }

  /** An access, when it has been made. */
  private void note(char what, long offset, long lengthBytes, Object file) throws IOException {
    String line =
        System.nanoTime() + " " + what + " " + offset + " " + lengthBytes + " " + file + "\n";
    synchronized (this) {
      out.write(line.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** A store that is traced; closes the other one. */
  ByteStore around(ByteStore store) {
    return new TracedStore(this, store);
  }

  /** Files that are traced. */
  ReplicaFiles around(LocalReplicaFiles files) {
    return new TracedFiles(this, files);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  private record TracedStore(IoTrace trace, ByteStore store) implements ByteStore {
    @Override
    public long sizeBytes() {
      return store.sizeBytes();
    }

    @Override
    public void read(long offset, ByteBuffer dst) throws IOException {
      int lengthBytes = dst.remaining();
      store.read(offset, dst);
      trace.note('R', offset, lengthBytes, store);
    }

    @Override
    public void write(long offset, ByteBuffer src) throws IOException {
      int lengthBytes = src.remaining();
      store.write(offset, src);
      trace.note('W', offset, lengthBytes, store);
    }

    @Override
    public void sync(long offset, long lengthBytes) throws IOException {
      store.sync(offset, lengthBytes);
      trace.note('F', 0, 0, store);
    }

    @Override
    public void close() throws IOException {
      store.close();
    }

    @Override
    public String toString() {
      return store.toString();
    }
  }

  private record TracedFiles(IoTrace trace, LocalReplicaFiles files) implements ReplicaFiles {
    @Override
    public ByteStore data() throws IOException {
      return trace.around(files.data());
    }

    @Override
    public ByteStore meta() throws IOException {
      return trace.around(files.meta());
    }

    @Override
    public byte[] readState() throws IOException {
      byte[] state = files.readState();
      trace.note('R', 0, state.length, files.state());
      return state;
    }

    @Override
    public void writeState(byte[] state) throws IOException {
      files.writeState(state);
      trace.note('W', 0, state.length, files.state());
      trace.note('F', 0, 0, files.state());
    }

    @Override
    public Optional<ReservedArea> reserved() throws IOException {
      return files.reserved().map(this::traced);
    }

    @Override
    public ReservedArea reserve(long sizeBytes) throws IOException {
      return traced(files.reserve(sizeBytes));
    }

    private ReservedArea traced(ReservedArea area) {
      return new TracedArea(trace, files.reservedSpace(), area);
    }
  }

  private static final class TracedArea extends ForwardingArea {
    private final IoTrace trace;
    private final Path file;

    TracedArea(IoTrace trace, Path file, ReservedArea area) {
      super(area);
      this.trace = trace;
      this.file = file;
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
      int lengthBytes = into.remaining();
      super.read(offset, into);
      trace.note('R', offset, lengthBytes, file);
    }

    @Override
    public void write(long offset, ByteBuffer from) throws IOException {
      int lengthBytes = from.remaining();
      super.write(offset, from);
      trace.note('W', offset, lengthBytes, file);
    }

    @Override
    public void force() throws IOException {
      super.force();
      trace.note('F', 0, 0, file);
    }
  }
}
