/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

/** Features that are not as they should be. */
enum FeatureFinding implements FindingKind {
  FAILED_CLOSED(
      "PARITY-121",
      Severity.ERROR,
      "A feature has failed closed: it refuses its work, the daemon keeps running.",
      "Remove the cause that is named, then restart the daemon. docs/reference/features.md says what "
          + "each feature refuses meanwhile."),
  LISTED_NOT_IN_SERVICE(
      "PARITY-122",
      Severity.ERROR,
      "A feature is listed in dfs.parity.features and is not in service.",
      "Wait if the daemon has just been started. Otherwise look for the name of the "
          + "feature in its log."),
  TROUBLE(
      "PARITY-123",
      Severity.WARNING,
      "A feature is in service, and something of it does not work.",
      "Remove the cause that is named. Look for the name of the feature in the log of the "
          + "daemon."),
  LISTS_DIFFER(
      "PARITY-124",
      Severity.WARNING,
      "dfs.parity.features differs between NameNodes.",
      "Give all NameNodes the same list, and restart those that had another."),
  NOT_LISTED(
      "PARITY-125",
      Severity.INFO,
      "dfs.parity.features is not set: daemons start what their other settings allow.",
      "List the features in use. Then a setting that gets lost is an error, and not a "
          + "feature that is off.");

  private final FindingSpec spec;

  FeatureFinding(String code, Severity severity, String meaning, String remedy) {
    spec = new FindingSpec(code, severity, meaning, remedy);
  }

  @Override
  public FindingSpec spec() {
    return spec;
  }
}
