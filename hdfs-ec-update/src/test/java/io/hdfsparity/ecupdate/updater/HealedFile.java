/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.Bounds;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.storage.FileCluster;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file that loses nodes for good while it is used, and whose groups are written anew by whoever
 * finds that: what a NameNode says of it, and what it does. Thread-safe.
 */
final class HealedFile implements Closeable {
  private static final AtomicInteger NEXT = new AtomicInteger(1_000_000);
  private static final int SPAN = 1000;

  private final FileCluster first;
  private final String scheme;
  private final Random random = new Random(17);
  private final Set<Integer> lostNodes = ConcurrentHashMap.newKeySet();

  /** Groups that were written anew, each in a file of its own. */
  private final Map<Integer, FileCluster> anew = new HashMap<>();

  private final AtomicInteger failuresLeft = new AtomicInteger();
  final AtomicInteger attempts = new AtomicInteger();

  HealedFile(FileCluster first, String scheme) {
    this.first = first;
    this.scheme = scheme;
  }

  /** A machine goes for good. */
  void lose(int node) throws IOException {
    first.kill(node);
    lostNodes.add(node);
  }

  /** So many attempts to heal a group fail when half of it was read. */
  void failAttempts(int count) {
    failuresLeft.set(count);
  }

  /** As {@link FileCluster#refusedSwaps}. */
  synchronized int refusedSwaps() {
    return first.refusedSwaps() + anew.values().stream().mapToInt(FileCluster::refusedSwaps).sum();
  }

  synchronized int healed() {
    return anew.size();
  }

  private synchronized StripeSession.Located locate(int group) {
    FileCluster there = anew.get(group);
    if (there != null) {
      return new StripeSession.Located(SPAN + group, there.locate(group));
    }
    Map<Integer, UnitLocation> units = new HashMap<>(first.locate(group));
    units.keySet().removeIf(unit -> lostNodes.contains(FileCluster.nodeOf(group, unit)));
    return new StripeSession.Located(group, units);
  }

  /** One at a time, as a copy has one writer. */
  private synchronized boolean heal(
      int group, int session, ChannelClient calls, StripeSession.Healer healer) throws IOException {
    if (anew.containsKey(group)) {
      return true;
    }
    attempts.incrementAndGet();
    FileLayout.Group extent = first.layout().groups().get(group);
    boolean mustFail = failuresLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    ByteBuffer bytes =
        ByteBuffer.allocate((int) (mustFail ? extent.lengthBytes() / 2 : extent.lengthBytes()));
    try (LockedGroupReader held =
        new LockedGroupReader(
            first.layout(),
            group,
            locate(group).units(),
            calls,
            session,
            /* operationMs= */ 60_000)) {
      while (bytes.hasRemaining()) {
        healer.requireWanted();
        held.read(bytes);
      }
      if (mustFail) {
        throw new IOException("as planned");
      }
      byte[] content = first.initial();
      System.arraycopy(bytes.array(), 0, content, (int) extent.offsetBytes(), bytes.capacity());
      anew.put(group, first.anew(scheme, random, content));
      held.keep();
      first.delete(group);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** What stock readers would get of groups that were written anew, and that their parity fits. */
  synchronized void verify(byte[] expected) throws Exception {
    for (Map.Entry<Integer, FileCluster> each : anew.entrySet()) {
      each.getValue().verify();
      FileLayout.Group extent = first.layout().groups().get(each.getKey());
      int from = (int) extent.offsetBytes();
      int to = from + (int) extent.lengthBytes();
      org.assertj.core.api.Assertions.assertThat(
              java.util.Arrays.copyOfRange(each.getValue().content(), from, to))
          .isEqualTo(java.util.Arrays.copyOfRange(expected, from, to));
    }
  }

  /** A session of it. */
  StripeSession open(ChannelClient calls) {
    SessionTerms terms =
        new SessionTerms(NEXT.getAndIncrement(), new Bounds.Failures(1, 1), 1_000, 120_000);
    return new StripeSession() {
      @Override
      public FileLayout layout() {
        return first.layout();
      }

      @Override
      public SessionTerms terms() {
        return terms;
      }

      @Override
      public Located locate(int group) {
        return HealedFile.this.locate(group);
      }

      @Override
      public boolean heal(int group, Healer healer) throws IOException {
        try (Closeable giving = healer.yielding()) {
          return HealedFile.this.heal(group, terms.number(), calls, healer);
        }
      }

      @Override
      public void renew() {}

      @Override
      public void end(OptionalLong lastWriteMs) {}
    };
  }

  @Override
  public synchronized void close() throws IOException {
    for (FileCluster each : anew.values()) {
      each.close();
    }
    first.close();
  }
}
