/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

/**
 * Identifies one attempt at one write, never used twice (paper: {@code <seq, i, p>}, Fig. 5 line
 * 2).
 *
 * @param client the client's incarnation; a client that restarts takes a new one
 * @param sequence counts the client's attempts
 * @param block index of the data block written, 0..k-1 (the paper counts from 1)
 */
public record Tid(long client, long sequence, int block) {
  @Override
  public String toString() {
    return client + "." + sequence + "@" + block;
  }
}
