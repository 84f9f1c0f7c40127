/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/**
 * Life of a slot table row.
 *
 * <pre>
 *   (absent) --reserve--&gt; RESERVED --cover--&gt; LIVE --delete--&gt; LIMBO --both sides clear--&gt; (absent)
 *                             |                ^                  ^ |
 *                             |                +-----restore------|-+
 *                             +-------------release---------------+ +--reserve again--&gt; RESERVED
 * </pre>
 *
 * <p>A RESERVED row covers nothing; no row that covers something becomes RESERVED or absent.
 */
public enum SlotState {
  /** Units are set aside; nothing of the block is in the parity. */
  RESERVED(1),
  /** The block exists here; its first {@code coveredBytes} bytes are in the parity. */
  LIVE(2),
  /** The block was deleted here; its bytes are kept until neither side's parity covers them. */
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

  /** Whether a row that covers something, or nothing, may go from this state to another. */
  boolean mayBecome(SlotState next, boolean coversAnything) {
    return switch (next) {
      case RESERVED -> !coversAnything;
      case LIVE, LIMBO -> true;
    };
  }
}
