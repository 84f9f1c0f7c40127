/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.List;
import java.util.OptionalInt;

/**
 * One Lstor from which a lost superchunk can be decoded, and the mirrors of the disk's other
 * frames.
 *
 * @param diskId the dead disk
 * @param host Lstor daemon
 * @param port Lstor daemon
 * @param lostFrameIndex frame of the superchunk on this disk; empty: this Lstor only helps to find
 *     lost mirrors
 * @param mirrors one for each frame of the disk
 */
public record LstorSource(
    String diskId, String host, int port, OptionalInt lostFrameIndex, List<Mirror> mirrors) {
  public LstorSource {
    mirrors = List.copyOf(mirrors);
  }

  /** For people. */
  public String name() {
    return "Lstor of disk " + diskId + " at " + host + ":" + port;
  }
}
