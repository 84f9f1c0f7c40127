/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.level.CodePolicy;
import io.hdfsparity.bridge.level.StripedFile;
import io.hdfsparity.bridge.level.StripedFile.Trait;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;

/**
 * What the NameNode holds of a file and of a policy, as records.
 *
 * <p>Reaches, package-private: FSDirEncryptionZoneOp.isInAnEZ. Checked for Hadoop 3.5.0. Callers
 * hold the namesystem's and the directory's locks. Stateless.
 */
final class FileFacts {
  private FileFacts() {}

  static StripedFile describe(FSNamesystem namesystem, INodesInPath place, INodeFile file)
      throws IOException {
    Optional<CodePolicy> policy = Optional.empty();
    if (file.isStriped()) {
      ErasureCodingPolicy own =
          namesystem.getErasureCodingPolicyManager().getByID(file.getErasureCodingPolicyID());
      policy = Optional.of(describe(own, true));
    }
    return new StripedFile(
        place.getPath(),
        file.getId(),
        policy,
        file.getBlocks().length,
        file.isUnderConstruction(),
        SnapshotHold.isShared(place, file),
        FSDirEncryptionZoneOp.isInAnEZ(namesystem.getFSDirectory(), place),
        traits(file));
  }

  private static Set<Trait> traits(INodeFile file) {
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    if (LevelEdits.isInterrupted(file)) {
      traits.add(Trait.INTERRUPTED);
    }
    return traits;
  }

  static CodePolicy describe(ErasureCodingPolicy policy, boolean enabled) {
    return new CodePolicy(
        policy.getId(),
        policy.getName(),
        policy.getCodecName(),
        policy.getNumDataUnits(),
        policy.getNumParityUnits(),
        policy.getCellSize(),
        policy.getSchema().getExtraOptions(),
        enabled);
  }
}
