/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.List;

/**
 * Result of a scrub of one node.
 *
 * @param bytesRead bytes of replicas and parity that were read
 * @param blocks replicas checked
 * @param disks disks checked
 * @param findings what is wrong
 */
public record ScrubReport(long bytesRead, int blocks, int disks, List<ScrubFinding> findings) {
  public ScrubReport {
    findings = List.copyOf(findings);
  }
}
