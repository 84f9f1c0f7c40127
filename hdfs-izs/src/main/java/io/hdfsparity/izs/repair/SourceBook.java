/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.repair;

import java.util.Collection;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * What is known of the units that could be read. A unit is trusted, doubtful after its node failed
 * or was slow, or corrupt. Doubtful units are read only when it does not work without them: slow is
 * not dead. Corrupt ones never. Not thread-safe.
 */
public final class SourceBook {
  private final NavigableSet<Integer> trusted = new TreeSet<>();
  private final NavigableSet<Integer> doubtful = new TreeSet<>();

  public SourceBook(Collection<Integer> units) {
    trusted.addAll(units);
  }

  /** Units to plan with at first. */
  public NavigableSet<Integer> trusted() {
    return Collections.unmodifiableNavigableSet(trusted);
  }

  /** Units that may be read at all. */
  public NavigableSet<Integer> readable() {
    NavigableSet<Integer> readable = new TreeSet<>(trusted);
    readable.addAll(doubtful);
    return readable;
  }

  /** A read of it failed or took too long. */
  public void doubt(int unit) {
    if (trusted.remove(unit)) {
      doubtful.add(unit);
    }
  }

  /** Its bytes do not match their checksums. */
  public void dropCorrupt(int unit) {
    trusted.remove(unit);
    doubtful.remove(unit);
  }

  /** Nothing works without the doubtful ones: they get another chance. */
  public void trustAgain() {
    trusted.addAll(doubtful);
    doubtful.clear();
  }
}
