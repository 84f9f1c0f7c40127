/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.storage.GroupFence.Hold;
import io.hdfsparity.ecupdate.storage.GroupFence.Options;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Writers, decoders, reconstructions and restarts of the keeper around a fence. The version of the
 * group goes up in the middle of a write and at its end, so the middle is a version of its own.
 */
final class FenceModel {
  private static final int DATA_UNITS = 2;
  private static final int PARITY = DATA_UNITS;

  /** Opens all units, each once, and remembers the version that each had. */
  private static final class Decoder {
    final boolean isReconstruction;
    final Map<Integer, Long> versions = new HashMap<>();

    /** What it has open; after a restart of the keeper without a hold. */
    final Map<Integer, Optional<Hold>> open = new HashMap<>();

    final Map<Integer, Long> openedMs = new HashMap<>();
    @Nullable Hold whole;
    long wholeSinceMs;
    long firstClosedMs = Long.MAX_VALUE;

    Decoder(boolean isReconstruction) {
      this.isReconstruction = isReconstruction;
    }
  }

  private final Random random;
  private final Options options;
  private final List<Decoder> decoders = new ArrayList<>();
  private GroupFence fence;
  private long nowMs;
  private long version;
  private boolean isWriting;
  private boolean isHalfWritten;

  FenceModel(Random random, long quietMs, long maxHoldMs) {
    this.random = random;
    options = new Options(quietMs, maxHoldMs);
    fence = new GroupFence(options, -maxHoldMs);
  }

  void run(int steps) {
    int maxStepMs = 1 + random.nextInt(60);
    for (int step = 0; step < steps; step++) {
      nowMs += random.nextInt(maxStepMs);
      List.copyOf(decoders).forEach(this::cutIfOverdue);
      switch (random.nextInt(16)) {
        case 0 -> begin(false);
        case 1 -> begin(true);
        case 2, 3, 4 -> write();
        case 5 -> restartSometimes();
        default -> step();
      }
    }
  }

  private void write() {
    if (!isWriting) {
      isWriting = fence.tryEnter(1, nowMs);
    } else if (!isHalfWritten) {
      version++;
      isHalfWritten = true;
    } else {
      version++;
      isHalfWritten = false;
      isWriting = false;
      fence.leave(1, nowMs);
    }
  }

  /** The keeper forgets; a writer has to enter again before it writes on. */
  private void restartSometimes() {
    if (random.nextInt(8) > 0) {
      return;
    }
    fence = new GroupFence(options, nowMs);
    isWriting = false;
    for (Decoder decoder : decoders) {
      decoder.open.replaceAll((unit, hold) -> Optional.empty());
      decoder.whole = null;
    }
  }

  private void begin(boolean isReconstruction) {
    Decoder decoder = new Decoder(isReconstruction);
    if (isReconstruction) {
      Optional<Hold> hold = fence.tryReconstruct(nowMs);
      if (hold.isEmpty()) {
        return;
      }
      decoder.whole = hold.get();
      decoder.wholeSinceMs = nowMs;
    }
    decoders.add(decoder);
  }

  private void step() {
    if (decoders.isEmpty()) {
      return;
    }
    Decoder decoder = decoders.get(random.nextInt(decoders.size()));
    int unit = random.nextInt(DATA_UNITS + 1);
    if (decoder.open.containsKey(unit)) {
      close(decoder, unit);
    } else if (!decoder.versions.containsKey(unit)) {
      open(decoder, unit);
    }
    if (decoder.versions.size() == DATA_UNITS + 1) {
      assertThat(decoder.versions.values())
          .as("versions of a decoder's units")
          .containsOnly(decoder.versions.get(PARITY));
      end(decoder);
    }
  }

  private void open(Decoder decoder, int unit) {
    if (!decoder.isReconstruction && nowMs - decoder.firstClosedMs >= options.quietMs()) {
      end(decoder); // slower than the promise allows
      return;
    }
    if (unit < PARITY) {
      decoder.open.put(unit, Optional.of(fence.pinData(nowMs)));
    } else {
      Optional<Hold> hold = fence.tryPinParity(nowMs);
      if (hold.isEmpty()) {
        end(decoder); // refused: its user gets an error
        return;
      }
      decoder.open.put(unit, hold);
    }
    decoder.openedMs.put(unit, nowMs);
    decoder.versions.put(unit, version);
  }

  private void close(Decoder decoder, int unit) {
    decoder.open.remove(unit).ifPresent(hold -> fence.release(hold, nowMs));
    decoder.firstClosedMs = Math.min(decoder.firstClosedMs, nowMs);
  }

  private void cutIfOverdue(Decoder decoder) {
    boolean isOverdue =
        decoder.open.keySet().stream()
            .anyMatch(unit -> nowMs - decoder.openedMs.get(unit) >= options.maxHoldMs());
    if (isOverdue
        || (decoder.isReconstruction && nowMs - decoder.wholeSinceMs >= options.maxHoldMs())) {
      end(decoder);
    }
  }

  private void end(Decoder decoder) {
    List.copyOf(decoder.open.keySet()).forEach(unit -> close(decoder, unit));
    if (decoder.whole != null) {
      fence.release(decoder.whole, nowMs);
    }
    decoders.remove(decoder);
  }
}
