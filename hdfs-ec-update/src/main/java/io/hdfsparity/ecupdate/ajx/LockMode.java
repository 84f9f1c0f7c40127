/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

/**
 * The lock of a storage node (paper: {@code lmode}, Fig. 4 lines 10 and 11).
 *
 * <pre>
 *           trylock               setlock(L0)
 *   UNL  ------------&gt;  L1  &lt;-----------------&gt;  L0
 *    ^  &lt;------------    |      getrecent(L1)     |
 *    |     finalize      | holder failed, restart |
 *    |                   v                        |
 *    +-- trylock .. --  EXP  &lt;--------------------+
 * </pre>
 */
public enum LockMode {
  /** Unlocked: swaps, adds and reads continue. */
  UNL,
  /** Weak lock: adds continue, so that writes under way can end; nothing else does. */
  L0,
  /** Full lock: the block is frozen. */
  L1,
  /** The holder failed: still frozen, but whoever sees it may begin a recovery. */
  EXP;

  /** Whether a recovery that is believed alive holds the lock. */
  public boolean isHeld() {
    return this == L0 || this == L1;
  }
}
