/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.doctor;

import io.hdfsparity.bridge.doctor.FindingKind;
import io.hdfsparity.bridge.doctor.FindingSpec;
import io.hdfsparity.bridge.doctor.Severity;

/** What is wrong with files in stored order. */
public enum CasoFinding implements FindingKind {
  CLIENT_WITHOUT_FILE_SYSTEM(
      "PARITY-701",
      Severity.INFO,
      "Feature caso is in service, and clients with the configuration of this host cannot "
          + "read files in stored order.",
      "Set fs.hdfs.impl to io.hdfsparity.ParityFileSystem in core-site.xml of clients that "
          + "read such files, as conf/core-site-client.xml has it. Servers do not need it.");

  private final FindingSpec spec;

  CasoFinding(String code, Severity severity, String meaning, String remedy) {
    spec = new FindingSpec(code, severity, meaning, remedy);
  }

  @Override
  public FindingSpec spec() {
    return spec;
  }
}
