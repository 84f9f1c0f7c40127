/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.raidp.wire.message.AdoptRequest;
import io.hdfsparity.raidp.wire.message.BalanceRequest;
import io.hdfsparity.raidp.wire.message.FailDiskRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.ProtectRequest;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.IOException;
import java.util.List;

/**
 * What an administrator asks the manager. Calls that change state need HDFS superuser rights; all
 * calls but those that only read are refused by a standby with StandbyException. Thread-safe.
 */
public interface RaidpAdminProtocol {
  TextResponse status(List<String> args) throws IOException;

  TextResponse layout(List<String> args) throws IOException;

  /** Changes state. */
  TextResponse applyLayout(DryRun dryRun) throws IOException;

  /** Changes state. */
  TextResponse failDisk(FailDiskRequest request) throws IOException;

  /** Takes {@link #failDisk} back. Changes state. */
  TextResponse withdrawFailedDisk(String diskId) throws IOException;

  /** Changes state. */
  TextResponse recover(RecoverRequest request) throws IOException;

  TextResponse recoveryStatus(List<String> args) throws IOException;

  /** Changes state when the arguments hold {@code -repair}. */
  TextResponse fsck(List<String> args) throws IOException;

  /** Superuser only: it reads every disk. */
  TextResponse scrub(List<String> args) throws IOException;

  TextResponse lstors(List<String> args) throws IOException;

  /** Changes state unless it only watches. */
  TextResponse rebuildLstor(LstorRebuildRequest request) throws IOException;

  /** Changes state. */
  TextResponse protect(ProtectRequest request) throws IOException;

  /** Superuser only: it reads the namespace. Changes state unless it only counts or watches. */
  TextResponse adopt(AdoptRequest request) throws IOException;

  /** Superuser only. Changes state unless it only plans or watches. */
  TextResponse balance(BalanceRequest request) throws IOException;

  /** Whether a plan is only shown. */
  enum DryRun {
    YES,
    NO
  }
}
