/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What was written to and read from one register, and whether that is regular (section 3.1; Shao,
 * Pierce and Welch for several writers): a read returns a value that was written by a write that
 * began before the read ended, and that no other write has replaced which both began after it ended
 * and ended before the read began. Values are unique.
 */
public final class RegisterHistory {
  /** A write; {@code ended} is the far future while it has not, or never does. */
  private static final class Write {
    final long began;
    long ended = Long.MAX_VALUE;

    Write(long began) {
      this.began = began;
    }
  }

  private record Read(int value, long began, long ended) {}

  private final Map<Integer, Write> writes = new HashMap<>();
  private final List<Read> reads = new ArrayList<>();

  /**
   * @param initial the value before any write
   */
  public RegisterHistory(int initial) {
    Write write = new Write(Long.MIN_VALUE);
    write.ended = Long.MIN_VALUE;
    writes.put(initial, write);
  }

  /** A write begins. */
  public void writeBegan(int value, long now) {
    if (writes.put(value, new Write(now)) != null) {
      throw new IllegalArgumentException("Value written twice: " + value);
    }
  }

  /** A write has ended. */
  public void writeEnded(int value, long now) {
    writes.get(value).ended = now;
  }

  /** A read has ended. */
  public void read(int value, long began, long ended) {
    reads.add(new Read(value, began, ended));
  }

  /** Invariant: regular-register semantics, and with it that no acknowledged write is lost. */
  public void check(String register) {
    for (Read read : reads) {
      Write source = writes.get(read.value);
      if (source == null) {
        throw new Violation(register + " read a value never written: " + read);
      }
      if (source.began > read.ended) {
        throw new Violation(register + " read a value before it was written: " + read);
      }
      for (Map.Entry<Integer, Write> entry : writes.entrySet()) {
        Write other = entry.getValue();
        if (other.began > source.ended && other.ended < read.began) {
          throw new Violation(
              register + " lost a write: value " + entry.getKey() + " was there before " + read);
        }
      }
    }
  }
}
