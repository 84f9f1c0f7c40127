/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.izs.apply.MoveRefusal;
import io.hdfsparity.izs.mapping.Advice;
import io.hdfsparity.izs.mapping.StorageForm.Coded;
import java.util.Optional;

/**
 * Streams of Hadoop's own client that are open while a file gets an erasure coded form may read
 * wrong bytes without an error, and neither the NameNode nor a DataNode can tell them from others:
 * see ADR 0009 and ADR 0026. So who runs the command has to say that there are none, or that it
 * does not matter. Those of a file that goes from code to copies get an error.
 *
 * @param areAccepted said so
 */
record StaleReaders(boolean areAccepted) {
  /** Option of the command. */
  static final String FLAG = "-acceptStaleReaders";

  /** Why a file keeps its form; empty: nothing is against it here. */
  Optional<Refusal> refusal(Advice advice) {
    boolean isWarned =
        advice.verdict() == Advice.Verdict.REWRITE
            && advice.form().orElseThrow() instanceof Coded
            && advice.file().lengthBytes() > 0;
    return isWarned && !areAccepted
        ? Optional.of(
            MoveRefusal.STALE_READERS.because(
                "staleReaders",
                "possible",
                "no stream of Hadoop's own client that is open since before, or "
                    + FLAG
                    + ": it may read wrong bytes once the old blocks are deleted",
                advice.file().path()))
        : Optional.empty();
  }
}
