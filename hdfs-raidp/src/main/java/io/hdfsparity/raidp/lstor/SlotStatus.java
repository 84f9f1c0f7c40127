/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/**
 * State and flags of a slot table row. {@link SlotLife} says which one follows which.
 *
 * <p>Rows have one of the constants below; bytes that someone else has written may hold other
 * combinations, and are read as they are.
 *
 * @param state see {@link SlotState}
 * @param ackPending the partner has not yet said that it covers the same prefix
 * @param partnerClear the partner has said that its parity no longer covers the block
 */
public record SlotStatus(SlotState state, boolean ackPending, boolean partnerClear) {
  /** Units are set aside. */
  public static final SlotStatus RESERVED = new SlotStatus(SlotState.RESERVED, false, false);

  /** The partner is to be asked whether it covers the same. */
  public static final SlotStatus LIVE_PENDING = new SlotStatus(SlotState.LIVE, true, false);

  /** Both sides cover the same, or this side covers nothing that could be acknowledged. */
  public static final SlotStatus LIVE_ACKNOWLEDGED = new SlotStatus(SlotState.LIVE, false, false);

  /** The block is deleted here, and the partner may still cover it. */
  public static final SlotStatus LIMBO = new SlotStatus(SlotState.LIMBO, false, false);

  /** The block is deleted here, and neither parity covers it. */
  public static final SlotStatus LIMBO_CLEARED = new SlotStatus(SlotState.LIMBO, false, true);

  SlotStatus withoutAckPending() {
    return new SlotStatus(state, false, partnerClear);
  }

  SlotStatus withoutPartnerClear() {
    return new SlotStatus(state, ackPending, false);
  }
}
