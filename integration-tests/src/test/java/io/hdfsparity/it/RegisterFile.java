/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A file whose every byte is a regular register with any number of writers: remembers what was
 * written when, and says whether a read could have seen what it did: for each byte what a write has
 * left that no other write, begun after its end, had replaced before the read began, or what a
 * write beside the read has written. A write without an end may take effect at any time, or never.
 *
 * <p>Times are the caller's, of one clock for all. Thread-safe.
 */
final class RegisterFile {
  /** Before all times. */
  private static final long EVER = Long.MIN_VALUE;

  private static final long NEVER = Long.MAX_VALUE;

  private static final class Write {
    final int position;
    final byte[] bytes;
    final long began;
    long ended = NEVER;

    Write(int position, byte[] bytes, long began) {
      this.position = position;
      this.bytes = bytes;
      this.began = began;
    }
  }

  private final Map<Long, Write> writes = new TreeMap<>();
  private byte[] settled;
  private long settledAt = EVER;
  private long nextId;

  RegisterFile(byte[] initial) {
    settled = initial.clone();
  }

  int lengthBytes() {
    return settled.length;
  }

  /** A write begins; what is returned names it. */
  synchronized long begin(int position, byte[] bytes, long at) {
    writes.put(nextId, new Write(position, bytes.clone(), at));
    return nextId++;
  }

  /** It is acknowledged. */
  synchronized void end(long write, long at) {
    writes.get(write).ended = at;
  }

  /**
   * Nobody writes, and all that was under way is decided: this is what the file holds, whatever
   * began before. Checks nothing.
   */
  synchronized void settle(byte[] content, long at) {
    settled = content.clone();
    settledAt = at;
    writes.clear();
  }

  /**
   * Says what of a read cannot be.
   *
   * @return the first wrong bytes, for a message; empty if all can be
   */
  synchronized String wrong(int position, byte[] read, long began, long ended) {
    long[] replacedAt = new long[read.length];
    Arrays.fill(replacedAt, settledAt);
    List<Write> beside = new ArrayList<>();
    for (Write write : writes.values()) {
      int from = Math.max(position, write.position);
      int to = Math.min(position + read.length, write.position + write.bytes.length);
      if (from >= to || write.began > ended) {
        continue;
      }
      beside.add(write);
      if (write.ended < began) {
        for (int at = from; at < to; at++) {
          replacedAt[at - position] = Math.max(replacedAt[at - position], write.began);
        }
      }
    }
    boolean[] explained = new boolean[read.length];
    for (int i = 0; i < read.length; i++) {
      explained[i] = replacedAt[i] <= settledAt && read[i] == settled[position + i];
    }
    for (Write write : beside) {
      int from = Math.max(position, write.position);
      int to = Math.min(position + read.length, write.position + write.bytes.length);
      for (int at = from; at < to; at++) {
        explained[at - position] |=
            read[at - position] == write.bytes[at - write.position]
                && write.ended >= replacedAt[at - position];
      }
    }
    int count = 0;
    int first = -1;
    for (int i = 0; i < read.length; i++) {
      if (!explained[i]) {
        count++;
        first = first < 0 ? i : first;
      }
    }
    return count == 0 ? "" : count + " wrong bytes, the first at " + (position + first);
  }
}
