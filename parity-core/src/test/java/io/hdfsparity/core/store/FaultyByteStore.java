/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/**
 * Another store with faults put in: the n-th call of a kind fails, is cut short, flips a bit or is
 * silently dropped. Thread-safe: calls are serialized.
 */
public final class FaultyByteStore implements ByteStore {
  /** What a fault is put into. */
  public enum Operation {
    READ,
    WRITE,
    SYNC
  }

  /** What happens. */
  public enum Fault {
    /** IOException, nothing done. */
    FAIL,
    /** Half of the bytes are read or written, then an IOException. */
    SHORT,
    /** One bit of the bytes read or written is wrong, without a word. */
    FLIP_BIT,
    /** A write or sync that reports success and does nothing. */
    LOSE
  }

  private record Planned(Fault fault, long firstCall, long calls) {}

  private final ByteStore delegate;
  private final Random random;
  private final Map<Operation, Long> counts = new EnumMap<>(Operation.class);
  private final Map<Operation, Planned> plan = new EnumMap<>(Operation.class);

  public FaultyByteStore(ByteStore delegate, Random random) {
    this.delegate = delegate;
    this.random = random;
    for (Operation operation : Operation.values()) {
      counts.put(operation, 0L);
    }
  }

  /**
   * Puts a fault into calls {@code n .. n + calls - 1} of a kind, counted from now, 1 being the
   * next. Replaces the fault planned earlier for that kind.
   */
  public synchronized FaultyByteStore plan(Operation operation, Fault fault, long n, long calls) {
    Checks.argument(n > 0, "plan a fault", "n", n, "> 0");
    Checks.argument(
        fault != Fault.LOSE || operation != Operation.READ,
        "plan a fault",
        "fault",
        fault,
        "one that a read can have");
    Checks.argument(
        operation != Operation.SYNC || fault == Fault.FAIL || fault == Fault.LOSE,
        "plan a fault",
        "fault",
        fault,
        "one that a sync can have");
    plan.put(operation, new Planned(fault, count(operation) + n, calls));
    return this;
  }

  /** Puts a fault into one call. */
  public FaultyByteStore plan(Operation operation, Fault fault, long n) {
    return plan(operation, fault, n, 1);
  }

  /** Removes all faults planned. */
  public synchronized FaultyByteStore heal() {
    plan.clear();
    return this;
  }

  /** Calls of a kind so far. */
  public synchronized long count(Operation operation) {
    return counts.getOrDefault(operation, 0L);
  }

  @Override
  public long sizeBytes() {
    return delegate.sizeBytes();
  }

  @Override
  public synchronized void read(long offset, ByteBuffer dst) throws IOException {
    Planned planned = next(Operation.READ);
    if (planned == null) {
      delegate.read(offset, dst);
      return;
    }
    int start = dst.position();
    int length = dst.remaining();
    switch (planned.fault()) {
      case FAIL -> throw failure("read", offset);
      case SHORT -> {
        dst.limit(start + length / 2);
        delegate.read(offset, dst);
        dst.limit(start + length);
        throw new EOFException(failure("read", offset).getMessage());
      }
      default -> {
        delegate.read(offset, dst);
        if (length > 0) {
          int at = start + random.nextInt(length);
          dst.put(at, flip(dst.get(at)));
        }
      }
    }
  }

  @Override
  public synchronized void write(long offset, ByteBuffer src) throws IOException {
    Planned planned = next(Operation.WRITE);
    if (planned == null) {
      delegate.write(offset, src);
      return;
    }
    byte[] bytes = new byte[src.remaining()];
    switch (planned.fault()) {
      case FAIL -> throw failure("write", offset);
      case SHORT -> {
        src.get(bytes, 0, bytes.length / 2);
        delegate.write(offset, ByteBuffer.wrap(bytes, 0, bytes.length / 2));
        throw failure("write", offset);
      }
      case FLIP_BIT -> {
        src.get(bytes);
        if (bytes.length > 0) {
          int at = random.nextInt(bytes.length);
          bytes[at] = flip(bytes[at]);
        }
        delegate.write(offset, ByteBuffer.wrap(bytes));
      }
      case LOSE -> src.position(src.limit());
    }
  }

  @Override
  public synchronized void sync(long offset, long lengthBytes) throws IOException {
    Planned planned = next(Operation.SYNC);
    if (planned == null) {
      delegate.sync(offset, lengthBytes);
    } else if (planned.fault() == Fault.FAIL) {
      throw failure("sync", offset);
    }
  }

  @Override
  public void close() throws IOException {
    delegate.close();
  }

  private @org.jspecify.annotations.Nullable Planned next(Operation operation) {
    long call = count(operation) + 1;
    counts.put(operation, call);
    Planned planned = plan.get(operation);
    boolean isHit =
        planned != null
            && call >= planned.firstCall()
            && call - planned.firstCall() < planned.calls();
    return isHit ? planned : null;
  }

  private byte flip(byte value) {
    return (byte) (value ^ 1 << random.nextInt(8));
  }

  private static IOException failure(String doing, long offset) {
    return new IOException(
        ErrorMessage.to(doing)
            .value("fault", "injected")
            .expected("none")
            .offset(offset)
            .message());
  }
}
