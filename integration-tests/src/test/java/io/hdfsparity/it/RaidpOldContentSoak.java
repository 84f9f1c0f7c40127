/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The disk is an old one, with its Lstor and without. */
@Tag("soak")
@Timeout(900)
class RaidpOldContentSoak extends OldContent {
  @ParameterizedTest
  @EnumSource(value = Restored.class, mode = EnumSource.Mode.EXCLUDE, names = "LSTOR")
  void anOldDiskIsPutBack(Restored restored) throws Exception {
    putBack(restored);
  }
}
