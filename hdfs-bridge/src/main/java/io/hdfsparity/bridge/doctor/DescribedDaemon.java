/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

import io.hdfsparity.bridge.status.DaemonStatus;

/**
 * A daemon that has answered. Immutable.
 *
 * @param place for findings
 */
public record DescribedDaemon(DaemonKind kind, String place, DaemonStatus status) {
  public boolean isNameNode() {
    return kind == DaemonKind.NAMENODE;
  }
}
