/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.apply;

import io.hdfsparity.bridge.refusal.RefusalCause;

/**
 * Why a file keeps its form, with what to do about it, beside {@link
 * io.hdfsparity.bridge.swap.SwapRefusal}.
 */
public enum MoveRefusal implements RefusalCause {
  UNREADABLE("hdfs fsck <file>; wait for HDFS to repair it, then run it again"),
  NO_RAIDP("name a form in the rule table that this cluster has, or switch RAIDP on"),
  NOT_PROTECTED("protect its directory: hdfs raidp -protect PATH -adopt"),
  STALE_READERS(
      "end programs with Hadoop's own client that have it open, or have them reopen it after the"
          + " run; then run it again with -acceptStaleReaders"),
  FAILED("see the reason; then run it again");

  private final String remedy;

  MoveRefusal(String remedy) {
    this.remedy = remedy;
  }

  @Override
  public String request() {
    return "change the form";
  }

  @Override
  public String remedy() {
    return remedy;
  }
}
