/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.izscodec;

/** A code in an implementation. Not thread-safe. */
interface Coder {
  /** As shown in tables. */
  String name();

  /** Coders of the same code compute the same parity. */
  String code();

  /** Whether it does this at all. */
  boolean does(Work work);

  /** Bytes read from other units to do it once, over those that any k whole units have. */
  double shareRead(Work work);

  /** Takes from the units as they are what a repair is to be given. */
  default void fetch() {}

  /** Does it so many times. */
  void run(Work work, int times) throws Exception;

  /** Its buffers. */
  Cells cells();
}
