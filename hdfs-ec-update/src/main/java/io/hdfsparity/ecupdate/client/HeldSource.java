/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.updater.LockWait;
import io.hdfsparity.ecupdate.updater.LockedGroupReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Of the units that are left, which are locked when they are read. When this is closed they are let
 * go only if the group was certainly not replaced: what is written into a group that was is lost.
 * Of one in doubt the locks are left as of a client that has died: they let nobody change anything
 * before the lost units are back, and the next one who heals take them over.
 */
final class HeldSource implements GroupSource {
  private final LostUnits lost;
  private final long attempt;
  private long begunNanos;
  private @Nullable LockedGroupReader held;
  private GroupOutcome fate = GroupOutcome.AS_IT_WAS;

  HeldSource(LostUnits lost, long attempt) {
    this.lost = lost;
    this.attempt = attempt;
  }

  @Override
  public InputStream open(LockWait waiting) {
    begunNanos = System.nanoTime();
    LockedGroupReader opened = lost.reader().apply(waiting);
    held = opened;
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        lost.healer().requireWanted();
        return opened.read(ByteBuffer.wrap(target, offset, length));
      }
    };
  }

  @Override
  public Optional<Healing> healing() {
    long heldMs =
        held == null
            ? 0
            : 1 + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos); // rounded up
    return Optional.of(new Healing(lost.nodes(), heldMs, lost.units(), attempt));
  }

  @Override
  public void know(GroupOutcome now) {
    fate = now;
  }

  @Override
  public void requireWanted() throws IOException {
    lost.healer().requireWanted();
  }

  @Override
  public void close() throws IOException {
    if (held == null) {
      return;
    }
    switch (fate) {
      case AS_IT_WAS -> held.close();
      case IN_DOUBT -> held.expire();
      case REPLACED -> held.keep();
    }
  }
}
