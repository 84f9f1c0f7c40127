/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.doctor;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.doctor.ClusterFacts;
import io.hdfsparity.bridge.doctor.DoctorCheck;
import io.hdfsparity.bridge.doctor.Finding;
import io.hdfsparity.bridge.doctor.FindingKind;
import io.hdfsparity.bridge.doctor.FindingList;
import io.hdfsparity.caso.config.CasoKey;
import java.util.List;

/** Checks of files in stored order. Stateless. */
public final class CasoCheck implements DoctorCheck {
  private static final String FEATURE = "caso";
  private static final String FILE_SYSTEM_KEY = "fs.hdfs.impl";
  private static final String FILE_SYSTEM = "io.hdfsparity.ParityFileSystem";

  @Override
  public List<? extends FindingKind> kinds() {
    return List.of(CasoFinding.values());
  }

  @Override
  public List<ConfigKey> keys() {
    return List.of(CasoKey.values());
  }

  @Override
  public void check(ClusterFacts facts, FindingList found) {
    String fileSystem = facts.local().key(FILE_SYSTEM_KEY);
    if (facts.isServed(FEATURE) && !fileSystem.equals(FILE_SYSTEM)) {
      found.add(
          CasoFinding.CLIENT_WITHOUT_FILE_SYSTEM,
          Finding.THIS_HOST,
          FILE_SYSTEM_KEY + "=" + fileSystem);
    }
  }
}
