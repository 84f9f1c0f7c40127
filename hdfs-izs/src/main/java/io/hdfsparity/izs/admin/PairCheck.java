/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.swap.Inspection;
import io.hdfsparity.bridge.swap.SwapProtocol;
import io.hdfsparity.izs.apply.MoveRefusal;
import io.hdfsparity.izs.mapping.Advice;
import io.hdfsparity.izs.mapping.Advice.Verdict;
import io.hdfsparity.izs.mapping.StorageForm;
import io.hdfsparity.izs.mapping.StorageForm.Raidp;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;

/**
 * Two copies are form {@code raidp} only where they lie in the pairs of RAIDP; elsewhere such a
 * file is not as it should be. Whether the NameNode places by pairs at all it is asked until it
 * says no, since nothing that can be done to a file helps then; where the blocks of a file lie it
 * is asked for each file that should have that form. For one command; not thread-safe.
 */
final class PairCheck {
  private final SwapProtocol service;
  private boolean unpaired;

  PairCheck(SwapProtocol service) {
    this.service = service;
  }

  /** Why a file that seems to have form {@code raidp} has it not; empty for any other advice. */
  Optional<Refusal> refusal(Advice advice) throws IOException {
    StorageForm form = advice.form().orElse(advice.file().form());
    if (advice.verdict() != Verdict.KEEP || !(form instanceof Raidp)) {
      return Optional.empty();
    }
    String path = advice.file().path();
    boolean inPairs = false;
    if (!unpaired) {
      try {
        Inspection now = service.inspect(path);
        unpaired = !now.pairPlaced();
        inPairs = now.inPairs();
      } catch (FileNotFoundException e) {
        // It is gone, or was renamed; nothing can be said of it.
        return Optional.empty();
      }
    }
    if (unpaired) {
      return Optional.of(
          MoveRefusal.NO_RAIDP.because("form", form.text(), "a NameNode that runs RAIDP", path));
    }
    return inPairs
        ? Optional.empty()
        : Optional.of(
            MoveRefusal.OUTSIDE_PAIRS.because(
                "inPairs", false, "all replicas on DataNodes of RAIDP", path));
  }
}
