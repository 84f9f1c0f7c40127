/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.protocol.LogSpace;
import io.hdfsparity.ecupdate.protocol.ReplicaStatus;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.StorageStatus;
import io.hdfsparity.ecupdate.protocol.UpdateSpace;
import io.hdfsparity.ecupdate.storage.EngineStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Tells how a storage is. Stateless. */
final class StorageReports {
  private StorageReports() {}

  /**
   * A report, as of about now: what changes meanwhile may be in it or not.
   *
   * @param uses who has been admitted to them
   * @param trouble why there is no engine; empty: there is
   * @param isListed which replicas are listed one by one
   */
  static StorageStatus report(
      String blockPool,
      AdmittedReplicas replicas,
      ReplicaUses uses,
      String trouble,
      @Nullable StorageEngine engine,
      LongPredicate isListed) {
    Map<Long, String> withheld = new TreeMap<>(replicas.withheldReasons());
    List<ReplicaStatus> listed = new ArrayList<>();
    Set<SessionId> sessions = new TreeSet<>();
    int admitted = 0;
    UpdateSpace space = UpdateSpace.NONE;
    for (long blockId : replicas.all().stream().sorted().toList()) {
      AdmittedReplicas.Admitted replica = replicas.find(blockId);
      if (replica == null || withheld.containsKey(blockId)) {
        continue;
      }
      admitted++;
      ReplicaStatus status =
          replica(new ReplicaKey(blockPool, blockId), replica, engine, uses.inside(blockId));
      sessions.addAll(status.sessions());
      space = space.plus(status.space());
      if (isListed.test(blockId)) {
        listed.add(status);
      }
    }
    withheld.forEach(
        (blockId, why) -> {
          if (isListed.test(blockId)) {
            listed.add(ReplicaStatus.withheld(blockId, why));
          }
        });
    EngineStatus now = engine == null ? EngineStatus.NONE : engine.engine().status();
    return new StorageStatus(
        replicas.storageId(),
        trouble.isEmpty() ? now.failure() : trouble,
        new LogSpace(now.logBytes(), now.logUsedBytes()),
        admitted,
        withheld.size(),
        space,
        List.copyOf(sessions),
        listed);
  }

  private static ReplicaStatus replica(
      ReplicaKey key,
      AdmittedReplicas.Admitted replica,
      @Nullable StorageEngine engine,
      List<SessionId> sessions) {
    ReplicaDescriptor descriptor = replica.descriptor();
    String trouble = "its storage serves no updates";
    if (engine != null) {
      try {
        EngineStatus.Replica now = engine.engine().status(key);
        return new ReplicaStatus(
            key.blockId(),
            descriptor.block(),
            now.scheme(),
            descriptor.lengthBytes(),
            new UpdateSpace(now.overlayBytes(), now.reservedBytes(), now.reservedUsedBytes()),
            now.trouble(),
            sessions);
      } catch (IOException e) {
        trouble = String.valueOf(e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        trouble = "the DataNode is ending";
      }
    }
    return new ReplicaStatus(
        key.blockId(),
        descriptor.block(),
        descriptor.scheme(),
        descriptor.lengthBytes(),
        UpdateSpace.NONE,
        trouble,
        sessions);
  }
}
