/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import java.io.IOException;

/**
 * What one side of a superchunk tells the other by exception; the class crosses the wire by its
 * name, so each has a constructor with just a message.
 */
public class PeerException extends IOException {
  private static final long serialVersionUID = 1L;

  public PeerException(String message) {
    super(message);
  }

  /**
   * Try again soon: another operation on the block is under way, or the pair is not in step yet.
   */
  public static final class Busy extends PeerException {
    private static final long serialVersionUID = 1L;

    public Busy(String message) {
      super(message);
    }
  }

  /** The callee's frame is on a failed disk: nothing will come from it any more. */
  public static final class FrameFailed extends PeerException {
    private static final long serialVersionUID = 1L;

    public FrameFailed(String message) {
      super(message);
    }
  }

  /** The callee has no frame in that superchunk. */
  public static final class UnknownSuperchunk extends PeerException {
    private static final long serialVersionUID = 1L;

    public UnknownSuperchunk(String message) {
      super(message);
    }
  }

  /** The callee's frame is in that superchunk, but at another epoch. */
  public static final class StaleEpoch extends PeerException {
    private static final long serialVersionUID = 1L;

    public StaleEpoch(String message) {
      super(message);
    }
  }
}
