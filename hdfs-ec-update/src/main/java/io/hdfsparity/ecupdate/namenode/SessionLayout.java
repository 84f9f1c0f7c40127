/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.level.CodePolicy;
import io.hdfsparity.bridge.update.GroupFacts;
import io.hdfsparity.bridge.update.UnitPlace;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.protocol.LeaseTimes;
import io.hdfsparity.ecupdate.protocol.NodeRegistry;
import io.hdfsparity.ecupdate.protocol.SessionFile;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.Sharing;
import io.hdfsparity.ecupdate.protocol.StripeCode;
import io.hdfsparity.ecupdate.protocol.UnitStorage;
import io.hdfsparity.ecupdate.protocol.UnitTerms;
import io.hdfsparity.ecupdate.protocol.UpdateCode;
import io.hdfsparity.ecupdate.protocol.UpdateGroup;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.protocol.UpdateUnit;
import io.hdfsparity.ecupdate.protocol.WriteToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.blockmanagement.WriteTokens;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;

/**
 * Writes down where everything of a file is, with fresh tokens for the caller of the RPC that the
 * thread serves. Works on what was read under the lock, without holding it. Thread-safe.
 */
final class SessionLayout {
  private final NodeRegistry nodes;
  private final WriteTokens tokens;
  private final LongSupplier epochMs;

  /**
   * A file as it was read.
   *
   * @param path resolved
   * @param lengthBytes of its content
   * @param newestLoweredGroup id of the newest group that it had when its level was lowered
   * @param scheme of its path
   * @param lastProgram that has opened it for updates
   */
  record Read(
      String path,
      long inodeId,
      long lengthBytes,
      CodePolicy policy,
      List<GroupFacts> groups,
      OptionalLong newestLoweredGroup,
      String scheme,
      OptionalLong lastProgram) {
    /**
     * Whether a unit of the group was dropped that may come back as it was, so that the group must
     * not change any more.
     */
    boolean isLowered(long groupId) {
      return newestLoweredGroup.isPresent() && groupId <= newestLoweredGroup.getAsLong();
    }

    /** Id of the first group; empty: there is none. */
    OptionalLong firstGroup() {
      return groups.isEmpty() ? OptionalLong.empty() : OptionalLong.of(groups.get(0).groupId());
    }

    /**
     * DataNodes of units that hold bytes, by uuid; without those of units that are missing, which
     * whoever judged the file has allowed.
     */
    Set<String> nodeUuids() {
      Set<String> uuids = new HashSet<>();
      for (GroupFacts group : groups) {
        List<UnitPlace> places =
            SessionRules.unitsWithBytes(policy, group)
                .mapToObj(unit -> SessionRules.whereStored(group, unit))
                .flatMap(Optional::stream)
                .toList();
        places.forEach(place -> uuids.add(place.nodeUuid()));
      }
      return uuids;
    }

    /** The code of the file, for clients. */
    UpdateCode code() {
      return new UpdateCode(
          policy.name(),
          policy.codec(),
          policy.dataUnits(),
          policy.parityUnits(),
          policy.cellBytes(),
          policy.options());
    }
  }

  /**
   * @param epochMs milliseconds since the epoch, for the validity of tokens
   */
  SessionLayout(NodeRegistry nodes, WriteTokens tokens, LongSupplier epochMs) {
    this.nodes = nodes;
    this.tokens = tokens;
    this.epochMs = epochMs;
  }

  UpdateSession of(SessionId id, Read file, LeaseTimes lease, Sharing sharing) throws IOException {
    CodePolicy policy = file.policy();
    List<UpdateGroup> groups = new ArrayList<>();
    long offset = 0;
    long validMs = Long.MAX_VALUE;
    for (GroupFacts group : file.groups()) {
      List<UpdateUnit> units = new ArrayList<>();
      boolean isLowered = file.isLowered(group.groupId());
      // Nobody gets a token for a group that must not change.
      for (int unit = 0; unit < policy.units() && !isLowered; unit++) {
        Optional<UnitPlace> place = SessionRules.whereServed(group, unit, nodes);
        Optional<UpdateNode> node = place.flatMap(each -> nodes.capable(each.nodeUuid()));
        if (place.isPresent() && node.isPresent()) {
          UnitTerms terms = terms(id, file, group, unit);
          Optional<WriteTokens.Minted> token =
              tokens.mint(terms.blockId(), place.get(), terms.mark().toArray());
          if (token.isPresent()) {
            validMs = Math.min(validMs, token.get().expiresAtMs() - epochMs.getAsLong());
          }
          units.add(unit(policy, group, place.get(), node.get(), terms, token));
        }
      }
      groups.add(
          new UpdateGroup(
              group.groupId(),
              group.generation(),
              offset,
              group.lengthBytes(),
              units,
              /* isToBeRewritten= */ isLowered));
      offset += group.lengthBytes();
    }
    return new UpdateSession(
        id,
        new SessionFile(
            file.path(), file.inodeId(), file.lengthBytes(), tokens.blockPool(), file.code()),
        groups,
        file.scheme(),
        validMs == Long.MAX_VALUE ? 0 : Math.max(1, validMs),
        lease,
        sharing);
  }

  private static UnitTerms terms(SessionId id, Read file, GroupFacts group, int unit) {
    CodePolicy policy = file.policy();
    return new UnitTerms(
        id,
        new StripeCode(
            policy.codec(), policy.dataUnits(), policy.parityUnits(), policy.cellBytes()),
        unit,
        group.groupId() + unit,
        group.generation(),
        group.lengthBytes(),
        file.scheme());
  }

  private static UpdateUnit unit(
      CodePolicy policy,
      GroupFacts group,
      UnitPlace place,
      UpdateNode node,
      UnitTerms terms,
      Optional<WriteTokens.Minted> token) {
    return new UpdateUnit(
        place.unit(),
        group.groupId() + place.unit(),
        group.generation(),
        StripedBlockUtil.getInternalBlockLength(
            group.lengthBytes(), policy.cellBytes(), policy.dataUnits(), place.unit()),
        new UnitStorage(node, place.storageId(), place.storageType()),
        terms.mark(),
        token.map(
            minted ->
                new WriteToken(
                    Bytes.copyOf(minted.token().getIdentifier()),
                    Bytes.copyOf(minted.token().getPassword()))));
  }
}
