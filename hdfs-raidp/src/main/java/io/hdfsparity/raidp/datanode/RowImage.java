/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.CoveredImage;
import io.hdfsparity.raidp.lstor.BlockImage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The image that a row covers, from wherever it can be had whole and verified: our own files, tried
 * again when they move under the reader; else the partner.
 *
 * <p>Thread-safety: one thread at a time.
 */
final class RowImage implements BlockImage, Closeable {
  private static final int LOCAL_ATTEMPTS = 3;

  private final Frame frame;
  private final SlotEntry row;
  private final Consumer<SlotEntry> localFailure;
  private @Nullable CoveredImage local;
  private @Nullable RemoteImage remote;

  RowImage(Frame frame, SlotEntry row) {
    this(frame, row, failed -> {});
  }

  /**
   * @param localFailure notified of the row when this node's own image could not be read
   */
  RowImage(Frame frame, SlotEntry row, Consumer<SlotEntry> localFailure) {
    this.frame = frame;
    this.row = row;
    this.localFailure = localFailure;
  }

  private interface Read {
    void from(BlockImage image) throws IOException;
  }

  @Override
  public void readData(long position, ByteBuffer dst) throws IOException {
    read(image -> image.readData(position, dst), dst);
  }

  @Override
  public void readMeta(long prefixBytes, long position, ByteBuffer dst) throws IOException {
    read(image -> image.readMeta(prefixBytes, position, dst), dst);
  }

  private void read(Read read, ByteBuffer dst) throws IOException {
    if (remote != null) {
      read.from(remote);
      return;
    }
    int start = dst.position();
    IOException failure = null;
    for (int attempt = 0; attempt < LOCAL_ATTEMPTS; attempt++) {
      try {
        if (local == null) {
          local = frame.image(row);
        }
        read.from(local);
        return;
      } catch (IOException e) {
        dst.position(start);
        failure = e;
        close();
      }
    }
    localFailure.accept(row);
    RemoteImage other = partner().orElse(null);
    if (other == null) {
      throw failure;
    }
    try {
      read.from(other);
      remote = other;
    } catch (IOException e) {
      dst.position(start);
      failure.addSuppressed(e);
      throw failure;
    }
  }

  private Optional<RemoteImage> partner() {
    Optional<Pairing> pairing = frame.pairing();
    if (pairing.isPresent()
        && frame.disk().context().partners().of(pairing.get())
            instanceof Partners.Reachable reachable) {
      // A partner that has gone on with another frame keeps nothing for this one; it sees that by
      // the epoch.
      return Optional.of(new RemoteImage(reachable.peer(), pairing.get(), row));
    }
    return Optional.empty();
  }

  @Override
  public void close() throws IOException {
    CoveredImage open = local;
    local = null;
    if (open != null) {
      open.close();
    }
  }
}
