/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import org.openjdk.jol.info.GraphLayout;

/**
 * Heap that objects take, with all that they refer to. It is added up: the difference of what is
 * used before and after depends on what other tests have left for the garbage collector.
 */
public final class HeapBytes {
  private HeapBytes() {}

  /** Of all of them together, in bytes. */
  public static long of(Object... roots) {
    // The fields of a record have no offset for Unsafe: JOL finds it by writing to them.
    System.setProperty("jol.magicFieldOffset", "true");
    return GraphLayout.parseInstance(roots).totalSize();
  }
}
