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
 * Two copies are form {@code raidp} only where RAIDP protects them; elsewhere such a file is not as
 * it should be. Whether the NameNode runs RAIDP at all it is asked until it says no, since nothing
 * that can be done to a file helps then; whether a file is protected it is asked for each one that
 * should have that form. For one command; not thread-safe.
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
    boolean isProtected = false;
    if (!unpaired) {
      try {
        Inspection now = service.inspect(path);
        unpaired = !now.pairPlaced();
        isProtected = now.isProtected();
      } catch (FileNotFoundException e) {
        // It is gone, or was renamed; nothing can be said of it.
        return Optional.empty();
      }
    }
    if (unpaired) {
      return Optional.of(
          MoveRefusal.NO_RAIDP.because("form", form.text(), "a NameNode that runs RAIDP", path));
    }
    return isProtected
        ? Optional.empty()
        : Optional.of(
            MoveRefusal.NOT_PROTECTED.because(
                "isProtected", false, "a file in a directory that RAIDP protects", path));
  }
}
