/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.bridge.datanode.SnapshotReads;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.ChecksumException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which streams see one version of a replica. */
class SnapshotStreamsTest {
  private final Versions versions = new Versions();
  private final SnapshotStreams streams = new SnapshotStreams();
  private int damage;

  /** Each snapshot is full of its number. */
  private static final class Versions implements SnapshotReads {
    final List<Version> opened = new ArrayList<>();

    @Override
    public boolean takes(long blockId) {
      return true;
    }

    @Override
    public ReplicaSnapshot open(Request request) {
      opened.add(new Version((byte) (opened.size() + 1)));
      return opened.get(opened.size() - 1);
    }

    @Override
    public boolean isPinned(long blockId) {
      return false;
    }

    @Override
    public Set<Long> withheld() {
      return Set.of();
    }
  }

  private static final class Version implements ReplicaSnapshot {
    private final byte number;
    boolean isClosed;
    IOException failure;
    long endBytes = 10;

    Version(byte number) {
      this.number = number;
    }

    @Override
    public long dataBytes() {
      return 10;
    }

    @Override
    public long metaBytes() {
      return 7;
    }

    @Override
    public int readData(long position, byte[] into, int offset, int lengthBytes)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      if (position >= endBytes) {
        return -1;
      }
      into[offset] = number;
      return 1;
    }

    @Override
    public int readMeta(long position, byte[] into, int offset, int lengthBytes)
        throws IOException {
      return readData(position, into, offset, lengthBytes);
    }

    @Override
    public void close() {
      assertThat(isClosed).isFalse();
      isClosed = true;
    }
  }

  private static SnapshotReads.Request request(long blockId) {
    return new SnapshotReads.Request(
        "BP", blockId, 1, 10, new File("b"), new File("m"), ReadCaller.CLIENT);
  }

  private InputStream meta(long blockId) throws IOException {
    return streams.meta(versions, request(blockId), () -> {});
  }

  private InputStream data(long blockId) throws IOException {
    return streams.data(versions, request(blockId), 0, () -> damage++);
  }

  @Test
  void bytesAndChecksumsAreOfOneVersionAndItIsClosedWithTheLastOfThem() throws Exception {
    InputStream meta = meta(1);
    InputStream data = data(1);
    assertThat(data).isNotInstanceOf(FileInputStream.class);
    assertThat(meta.read()).isEqualTo(1);
    assertThat(data.read()).isEqualTo(1);
    meta.close();
    assertThat(versions.opened.get(0).isClosed).isFalse();
    data.close();
    data.close();
    assertThat(versions.opened.get(0).isClosed).isTrue();
    assertThatThrownBy(data::read).isInstanceOf(IOException.class);
  }

  @Test
  void anotherBlockOrALaterReaderGetsItsOwn() throws Exception {
    try (InputStream first = meta(1);
        InputStream other = data(2)) {
      assertThat(other.read()).isEqualTo(2);
      assertThat(first.read()).isEqualTo(1);
    }
    try (InputStream later = data(1)) {
      assertThat(later.read()).isEqualTo(3);
    }
  }

  @Test
  void anotherThreadGetsItsOwn() throws Exception {
    try (InputStream first = meta(1)) {
      int[] seen = new int[1];
      Thread other =
          new Thread(
              () -> {
                try (InputStream data = data(1)) {
                  seen[0] = data.read();
                } catch (IOException e) {
                  seen[0] = -2;
                }
              });
      other.start();
      other.join();
      assertThat(seen[0]).isEqualTo(2);
      assertThat(first.read()).isEqualTo(1);
    }
  }

  @Test
  void skipsToItsEndAndNotBeyond() throws Exception {
    try (InputStream data = data(1)) {
      assertThat(data.skip(4)).isEqualTo(4);
      assertThat(data.skip(100)).isEqualTo(6);
      assertThat(data.read()).isEqualTo(-1);
    }
  }

  @Test
  void whatLooksDamagedIsTold() throws Exception {
    try (InputStream data = data(1)) {
      Version version = versions.opened.get(0);
      assertThat(data.skip(10)).isEqualTo(10);
      assertThat(data.read()).isEqualTo(-1);
      version.failure = new IOException("Cannot read replica: cut off");
      assertThatThrownBy(data::read).isSameAs(version.failure);
      assertThat(damage).isZero();
      version.failure = new ChecksumException("does not fit", 0);
      assertThatThrownBy(data::read).isSameAs(version.failure);
      assertThat(damage).isEqualTo(1);
      version.failure = new IOException("wrapped", new IOException("Input/output error"));
      assertThatThrownBy(data::read).isSameAs(version.failure);
      assertThat(damage).isEqualTo(2);
    }
    try (InputStream shortened = data(1)) {
      versions.opened.get(1).endBytes = 0;
      assertThat(shortened.read()).isEqualTo(-1);
      assertThat(damage).isEqualTo(3);
    }
  }

  /** Whose bytes lie in a file that never changes. */
  private static final class InFile implements SnapshotReads, ReplicaSnapshot {
    private final FileInputStream file;
    private boolean isTaken;
    private int closed;
    private String refusal = "";

    InFile(Path path) throws IOException {
      file = new FileInputStream(path.toFile());
    }

    @Override
    public boolean takes(long blockId) {
      return true;
    }

    @Override
    public ReplicaSnapshot open(Request request) {
      return this;
    }

    @Override
    public boolean isPinned(long blockId) {
      return false;
    }

    @Override
    public Set<Long> withheld() {
      return Set.of();
    }

    @Override
    public long dataBytes() {
      return 6;
    }

    @Override
    public long metaBytes() {
      return 0;
    }

    @Override
    public int readData(long position, byte[] into, int offset, int lengthBytes) {
      return -1;
    }

    @Override
    public int readMeta(long position, byte[] into, int offset, int lengthBytes) {
      return -1;
    }

    @Override
    public FileInputStream takeDataFile() {
      boolean isFirst = !isTaken;
      isTaken = true;
      return isFirst ? file : null;
    }

    @Override
    public void requireReadable() throws IOException {
      if (!refusal.isEmpty()) {
        throw new IOException(refusal);
      }
    }

    @Override
    public void close() {
      closed++;
      try {
        file.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void aFileThatNeverChangesIsSentByReferenceAsLongAsItMayBeRead(@TempDir Path root)
      throws Exception {
    Path path = Files.write(root.resolve("blk"), new byte[] {0, 1, 2, 3, 4, 5});
    InFile reads = new InFile(path);
    InputStream meta = streams.meta(reads, request(1), () -> {});
    InputStream data = streams.data(reads, request(1), 2, () -> {});
    // What BlockSender looks at, and does.
    assertThat(data).isInstanceOf(FileInputStream.class);
    FileChannel channel = ((FileInputStream) data).getChannel();
    assertThat(channel.position()).isEqualTo(2);
    assertThat(channel.size()).isEqualTo(6);
    assertThat(((FileInputStream) data).getFD().valid()).isTrue();
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    assertThat(channel.transferTo(2, 3, Channels.newChannel(sent))).isEqualTo(3);
    assertThat(sent.toByteArray()).containsExactly(2, 3, 4);
    assertThat(data.read()).isEqualTo(2);
    reads.refusal = "cut off";
    assertThatThrownBy(data::read).hasMessage("cut off");
    assertThatThrownBy(() -> data.read(new byte[1])).hasMessage("cut off");
    assertThatThrownBy(() -> channel.transferTo(2, 3, Channels.newChannel(sent)))
        .hasMessage("cut off");
    meta.close();
    assertThat(reads.closed).isZero();
    data.close();
    data.close();
    assertThat(reads.closed).isEqualTo(1);
    assertThat(((FileInputStream) data).getFD().valid()).isFalse();
  }
}
