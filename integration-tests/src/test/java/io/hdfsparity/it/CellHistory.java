/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The states of one cell with one writer, and whether what a reader saw of it is one that there was
 * between its start and its end. Thread-safe; time is the caller's.
 */
final class CellHistory {
  /** A state; {@code ended} is when its write was acknowledged. */
  private static final class State {
    final byte[] bytes;
    final long began;
    long ended = Long.MAX_VALUE;

    State(byte[] bytes, long began) {
      this.bytes = bytes;
      this.began = began;
    }
  }

  private final List<State> states = new ArrayList<>();

  CellHistory(byte[] initial) {
    State first = new State(initial, Long.MIN_VALUE);
    first.ended = Long.MIN_VALUE;
    states.add(first);
  }

  /** A random change begins. */
  synchronized Patch begin(Random random, long now) {
    byte[] bytes = states.get(states.size() - 1).bytes.clone();
    int offset = random.nextInt(bytes.length);
    byte[] fresh = new byte[1 + random.nextInt(Math.min(8192, bytes.length - offset))];
    random.nextBytes(fresh);
    System.arraycopy(fresh, 0, bytes, offset, fresh.length);
    states.add(new State(bytes, now));
    return new Patch(offset, Bytes.wrap(fresh));
  }

  /** It is acknowledged. */
  synchronized void end(long now) {
    states.get(states.size() - 1).ended = now;
  }

  /** Forgets what no read can have seen that began at a time or later. */
  synchronized void forget(long before) {
    while (states.size() > 1 && states.get(1).ended < before) {
      states.remove(0);
    }
  }

  synchronized byte[] last() {
    return states.get(states.size() - 1).bytes.clone();
  }

  /** Whether bytes that were read are those of a state between two times. */
  synchronized boolean explains(int offset, byte[] read, long began, long ended) {
    for (int i = states.size() - 1; i >= 0; i--) {
      State state = states.get(i);
      if (state.began <= ended
          && Arrays.equals(read, Arrays.copyOfRange(state.bytes, offset, offset + read.length))) {
        return true;
      }
      if (state.ended < began) {
        return false; // all before it were replaced when the read began
      }
    }
    return false;
  }
}
