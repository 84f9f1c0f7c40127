/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.Kernels;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ISA-L kernel for Hadoop's own codecs. Where it is missing, making a coder fails, and Hadoop
 * goes on to the next one that is configured; it says so only at level debug, so it is said here,
 * once a process.
 */
final class IsalKernelChoice {
  private static final Logger LOG = LoggerFactory.getLogger(IsalKernelChoice.class);
  private static final String ISAL = "isal";
  private static final AtomicBoolean SAID = new AtomicBoolean();

  private IsalKernelChoice() {}

  /**
   * The kernel.
   *
   * @throws UnsupportedOperationException if this machine has no ISA-L
   */
  static Kernel isal(String coder) {
    Kernels.Candidate isal =
        Kernels.table().candidates().stream()
            .filter(candidate -> candidate.name().equals(ISAL))
            .findFirst()
            .orElseThrow();
    return isal.kernel()
        .orElseThrow(
            () -> {
              String message =
                  ErrorMessage.to("make coder " + coder)
                      .value("isal", isal.reason())
                      .expected("libisal.so.2, or another coder configured behind this one")
                      .message();
              if (SAID.compareAndSet(false, true)) {
                LOG.warn(message);
              }
              return new UnsupportedOperationException(message);
            });
  }
}
