/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.level.StripedFile;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.update.FileRule;
import io.hdfsparity.bridge.update.FileView;
import io.hdfsparity.bridge.update.GroupFacts;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Judges files; the groups too. */
abstract class LayoutRule implements FileRule<OpenDecision> {
  private final SessionRules rules;
  private final int missingUnits;
  private final OptionalLong wholeGroup;

  /**
   * @param missingUnits how many units of a group may be missing
   * @param wholeGroup id of a group of which none may be
   */
  LayoutRule(SessionRules rules, int missingUnits, OptionalLong wholeGroup) {
    this.rules = rules;
    this.missingUnits = missingUnits;
    this.wholeGroup = wholeGroup;
  }

  private boolean isWhole(GroupFacts group) {
    return wholeGroup.isPresent() && wholeGroup.getAsLong() == group.groupId();
  }

  abstract Optional<Refusal> judge(StripedFile file);

  /** As {@link SessionRules#judge(StripedFile, GroupFacts, int)}. */
  Optional<Refusal> judge(StripedFile file, GroupFacts group, int allowedMissing) {
    return rules.judge(file, group, allowedMissing);
  }

  /** Nothing was said against it: what is done in the same hold of the lock. */
  abstract OpenDecision allow(SessionLayout.Read read);

  @Override
  public OpenDecision notAFile(String path) {
    return OpenDecision.refused(
        RefusalKind.NOT_A_FILE.because("kind", "directory or link", "a file", path));
  }

  @Override
  public OpenDecision decide(FileView view) {
    StripedFile file = view.file();
    Optional<Refusal> refusal = judge(file);
    if (refusal.isPresent()) {
      return OpenDecision.refused(refusal.get());
    }
    OptionalLong newestLowered = view.newestLoweredGroup();
    if (newestLowered.isPresent() && newestLowered.getAsLong() == Long.MAX_VALUE) {
      return OpenDecision.refused(
          RefusalKind.LOWERED.because(
              "lowered", "by an earlier version", "a mark with the newest group", file.path()));
    }
    String scheme = rules.scheme(view);
    refusal = rules.judgeScheme(file, scheme);
    if (refusal.isPresent()) {
      return OpenDecision.refused(refusal.get());
    }
    List<GroupFacts> groups = view.groups();
    for (GroupFacts group : groups) {
      refusal = judge(file, group, isWhole(group) ? 0 : missingUnits);
      if (refusal.isPresent()) {
        return OpenDecision.refused(refusal.get());
      }
    }
    return allow(
        new SessionLayout.Read(
            file.path(),
            file.inodeId(),
            view.lengthBytes(),
            file.policy().orElseThrow(),
            groups,
            newestLowered,
            scheme,
            view.lastProgram()));
  }
}
