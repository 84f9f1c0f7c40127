/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/**
 * State of a slot table row. How a row goes from one to another, and why, is in {@link SlotLife}.
 */
public enum SlotState {
  /** Units are set aside; nothing of the block is in the parity. */
  RESERVED(1),
  /** The block exists here; its first {@code coveredBytes} bytes are in the parity. */
  LIVE(2),
  /**
   * The block was deleted here, or leaves the superchunk; its bytes are kept until neither side's
   * parity covers them.
   */
  LIMBO(3);

  private final int code;

  SlotState(int code) {
    this.code = code;
  }

  /** Value on disk. */
  public int code() {
    return code;
  }

  /** State with a value on disk. */
  static SlotState ofCode(int code) {
    for (SlotState state : values()) {
      if (state.code == code) {
        return state;
      }
    }
    throw new IllegalArgumentException("Cannot read slot state: code=" + code + ", expected 1..3");
  }
}
