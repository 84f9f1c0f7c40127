/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

/**
 * The program that opens a file. Immutable.
 *
 * @param number that no other program has
 * @param kind whether others may have opened the file before
 */
public record OpeningProgram(long number, OpenKind kind) {
  /** Whether a program opens a file for the first time. */
  public enum OpenKind {
    /** Whoever has opened it before. */
    FIRST,
    /** Only if no other program has opened it since this one did. */
    CONTINUED
  }
}
