/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.bridge.level.LevelRefusal;
import io.hdfsparity.izs.apply.MoveRefusal;
import io.hdfsparity.izs.mapping.Advice;
import io.hdfsparity.izs.mapping.Advice.Verdict;
import io.hdfsparity.izs.mapping.StorageForm;
import io.hdfsparity.izs.mapping.StorageForm.Raidp;
import io.hdfsparity.izs.transfer.SwapService;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;

/**
 * Two copies are form {@code raidp} only where the NameNode places them by the pairs of RAIDP;
 * elsewhere such a file is not as it should be, and nothing that can be done to it alone helps. The
 * NameNode is asked once, when a rule first wants that form. For one command; not thread-safe.
 */
final class PairCheck {
  private final SwapService service;
  private Optional<Boolean> paired = Optional.empty();

  PairCheck(SwapService service) {
    this.service = service;
  }

  /** Why a file that seems to have form {@code raidp} has it not; empty for any other advice. */
  Optional<LevelRefusal> refusal(Advice advice) throws IOException {
    StorageForm form = advice.form().orElse(advice.file().form());
    if (advice.verdict() != Verdict.KEEP || !(form instanceof Raidp)) {
      return Optional.empty();
    }
    String path = advice.file().path();
    try {
      if (paired.isEmpty()) {
        paired = Optional.of(service.inspect(path).pairPlaced());
      }
    } catch (FileNotFoundException e) {
      // It is gone, or was renamed; the next file may tell.
      return Optional.empty();
    }
    return paired.get()
        ? Optional.empty()
        : Optional.of(
            MoveRefusal.NO_RAIDP.because("form", form.text(), "a NameNode that runs RAIDP", path));
  }
}
