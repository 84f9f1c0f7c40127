/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

/** Keys that are misspelt, missing or differ. */
enum KeyFinding implements FindingKind {
  MUST_AGREE(
      "PARITY-201",
      Severity.ERROR,
      "A key must have the same value in all daemons that read it, and differs.",
      "Choose one value, set it on all hosts, and restart the daemons that had another."),
  UNKNOWN_HERE(
      "PARITY-202",
      Severity.ERROR,
      "The configuration of this host has a key of the suite that does not exist.",
      "Correct the name, or remove the key. docs/reference/keys.md lists all. A daemon "
          + "that reads it refuses to start its features."),
  UNKNOWN_IN_DAEMON(
      "PARITY-203",
      Severity.WARNING,
      "A daemon has a key of the suite that this version does not know.",
      "Correct the name, or remove the key. If the daemon has a newer version of the "
          + "suite, update this host."),
  NAMENODES_DIFFER(
      "PARITY-204",
      Severity.WARNING,
      "A key of NameNodes differs between them.",
      "Give all NameNodes the same value. After a failover the other one holds."),
  WRONG_PLUGIN(
      "PARITY-205",
      Severity.ERROR,
      "A list of plugins names a class of the suite that is no plugin of that daemon.",
      "Use io.hdfsparity.ParityNameNodePlugin in dfs.namenode.plugins and "
          + "io.hdfsparity.ParityDataNodePlugin in dfs.datanode.plugins, and no other class of "
          + "the suite. The daemon does not start with it."),
  PLUGIN_TWICE(
      "PARITY-206",
      Severity.ERROR,
      "A list of plugins names the plugin of the suite more than once.",
      "Name it once: the second one cannot listen at the same port."),
  PLUGIN_MISSING_HERE(
      "PARITY-207",
      Severity.WARNING,
      "The configuration of this host lists features and lacks a plugin of the suite.",
      "Add io.hdfsparity.ParityNameNodePlugin to dfs.namenode.plugins and "
          + "io.hdfsparity.ParityDataNodePlugin to dfs.datanode.plugins. A daemon that is "
          + "started with this file has no feature.");

  private final FindingSpec spec;

  KeyFinding(String code, Severity severity, String meaning, String remedy) {
    spec = new FindingSpec(code, severity, meaning, remedy);
  }

  @Override
  public FindingSpec spec() {
    return spec;
  }
}
