/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.doctor;

import io.hdfsparity.bridge.doctor.FindingKind;
import io.hdfsparity.bridge.doctor.FindingSpec;
import io.hdfsparity.bridge.doctor.Severity;

/** What is wrong with codec izs, levels and verified parity. */
public enum IzsFinding implements FindingKind {
  NO_POLICY(
      "PARITY-501",
      Severity.INFO,
      "Feature izs is in service, and no policy of codec izs is enabled.",
      "Add policies with hdfs ec -addPolicies -policyFile user_ec_policies.xml, and enable "
          + "them. Nothing is to be done where only levels of codec rs are used."),
  VERIFICATION_OFF(
      "PARITY-502",
      Severity.WARNING,
      "The active NameNode verifies no parity.",
      "Set dfs.parity.izs.verify.enabled to true on NameNodes and DataNodes, or remove the "
          + "cause that is named. Until then wrong parity is found when it is needed."),
  VERIFICATION_PROBLEM(
      "PARITY-503",
      Severity.WARNING,
      "The last round of verifying parity has failed.",
      "Remove the cause that is named. Look for Verification in the log of the NameNode."),
  SUSPECTED_DATA(
      "PARITY-504",
      Severity.ERROR,
      "Parity of block groups contradicts their data, and it may be the data that is wrong.",
      "Look for WrongParity in the log of the NameNode, and compare the files that it "
          + "names with their source. Nothing is changed meanwhile."),
  BLOCK_MAP_UNGUARDED(
      "PARITY-505",
      Severity.ERROR,
      "The level manager of a NameNode does not guard the block map: no level can be "
          + "changed safely.",
      "Set dfs.block.placement.ec.classname to HintedEcPlacementPolicy in package "
          + "org.apache.hadoop.hdfs.server.blockmanagement, and restart the NameNode."),
  REPLAY_ASSERTS(
      "PARITY-506",
      Severity.WARNING,
      "A NameNode runs with assertions on in its replay of edits: it ends at a change of level.",
      "Start NameNodes without -ea, or with "
          + "-da:org.apache.hadoop.hdfs.server.namenode.FSEditLogLoader."),
  NODE_WITHOUT_REPAIR(
      "PARITY-507",
      Severity.ERROR,
      "Policies of codec izs are enabled, and a DataNode does not repair files of them.",
      "Add izs to dfs.parity.features of the DataNode, and restart it. Its other features "
          + "say in its log why they are off."),
  GROUPS_GIVEN_UP(
      "PARITY-508",
      Severity.WARNING,
      "The verification of parity has abandoned block groups: they could not be compared.",
      "Look for VerifyCalls in the log of the NameNode, and run hdfs izs -verify on the "
          + "files that it names.");

  private final FindingSpec spec;

  IzsFinding(String code, Severity severity, String meaning, String remedy) {
    spec = new FindingSpec(code, severity, meaning, remedy);
  }

  @Override
  public FindingSpec spec() {
    return spec;
  }
}
