/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.geometry.ByteOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/** Recovers ranges of a file, and settles what sessions have left in it. Thread-safe. */
final class FileRecovery {
  private static final int STEP_BYTES = 1 << 28;

  /** Stripes that are recovered together, at most: their looks share the pauses. */
  private static final int MAX_STRIPES_AT_ONCE = 1024;

  private final FileLayout layout;
  private final ByteOrder order;
  private final Sessions sessions;
  private final Stripes stripes;
  private final int stripesAtOnce;

  /** What is known of the file's sessions. */
  interface Sessions {
    /**
     * Whether the own one is.
     *
     * @throws IOException if not
     */
    void checkUsable() throws IOException;

    /** As {@link StripeSession#noted}. */
    StripeSession.OtherSessions noted(int group) throws IOException;

    /** As {@link StripeSession#crossOut}. */
    void crossOut(int group, Set<Long> over) throws IOException;
  }

  /** As {@link StripeRecovery#recover}. */
  interface Stripes {
    void recover(List<StripeKey> stripes, long pauseMs) throws IOException;
  }

  /**
   * Of one file.
   *
   * @param order that the file is stored in
   * @param maxStripes for whose states there is room
   */
  FileRecovery(
      FileLayout layout, ByteOrder order, Sessions sessions, Stripes stripes, int maxStripes) {
    this.layout = layout;
    this.order = order;
    this.sessions = sessions;
    this.stripes = stripes;
    // The age of a write is kept with the stripe's state, which must not be released between looks.
    stripesAtOnce = Math.max(1, Math.min(MAX_STRIPES_AT_ONCE, maxStripes / 4));
  }

  /** As {@link StripedFileUpdater#recover}, of a range that is inside the file. */
  void recover(long position, long lengthBytes, long pauseMs) throws IOException {
    long done = 0;
    List<StripeKey> batch = new ArrayList<>();
    while (done < lengthBytes) {
      int step = (int) Math.min(STEP_BYTES, lengthBytes - done);
      for (StripeRange range : StripeRange.of(layout, order, position + done, step)) {
        batch.add(range.key());
        if (batch.size() >= stripesAtOnce) {
          stripes.recover(batch, pauseMs);
          batch.clear();
        }
      }
      done += step;
    }
    stripes.recover(batch, pauseMs);
  }

  /**
   * As {@link StripedFileUpdater#settle}.
   *
   * @param isWanted of which block groups, by what DataNodes have noted of other sessions
   */
  StripedFileUpdater.Settled settle(
      Predicate<StripeSession.OtherSessions> isWanted, long pauseMs, LongConsumer progress)
      throws IOException {
    Set<Long> settled = new HashSet<>();
    Set<Integer> left = new HashSet<>();
    for (int i = 0; i < layout.groups().size(); i++) {
      sessions.checkUsable();
      StripeSession.OtherSessions noted = sessions.noted(i);
      if (!isWanted.test(noted)) {
        continue;
      }
      recoverGroup(i, pauseMs, progress);
      sessions.crossOut(i, noted.over());
      settled.addAll(noted.over());
      if (!noted.left().isEmpty()) {
        left.add(i);
      }
    }
    return new StripedFileUpdater.Settled(settled, left);
  }

  /**
   * Every stripe that is stored in a group, in whatever order the file is: its cells may belong
   * anywhere in the file's own order.
   */
  private void recoverGroup(int index, long pauseMs, LongConsumer progress) throws IOException {
    FileLayout.Group group = layout.groups().get(index);
    long count = layout.geometry().stripeCount(group.lengthBytes());
    long stripeBytes = layout.geometry().stripeDataBytes();
    for (long from = 0; from < count; from += stripesAtOnce) {
      long end = Math.min(count, from + stripesAtOnce);
      List<StripeKey> batch = new ArrayList<>();
      for (long stripe = from; stripe < end; stripe++) {
        batch.add(new StripeKey(index, Math.toIntExact(stripe)));
      }
      sessions.checkUsable();
      stripes.recover(batch, pauseMs);
      progress.accept(group.offsetBytes() + Math.min(group.lengthBytes(), end * stripeBytes));
    }
  }
}
