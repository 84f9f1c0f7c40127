/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.swap;

/**
 * What became of a swap. Immutable.
 *
 * @param reason of what is not done; empty when it is
 */
public record SwapAnswer(Outcome outcome, String reason) {
  /** The copy is in the place of the file. */
  public static final SwapAnswer SWAPPED = new SwapAnswer(Outcome.SWAPPED, "");

  /** What there is. */
  public enum Outcome {
    /** Done, and durable. */
    SWAPPED,
    /** Not done: file and copy differ in attributes, which have to be copied again. */
    DRESS,
    /** Not done: not all units of the copy are there yet, ask again. */
    WAIT,
    /** Not done, and never will be. */
    REFUSED
  }
}
