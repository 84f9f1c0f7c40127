/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.namenode.FsckReport.Finding;
import io.hdfsparity.raidp.namenode.FsckReport.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one look at the cluster has found, and what it could not ask. Two looks can be compared only
 * if both have asked the same: what one of them did not ask is neither right nor wrong. Not
 * thread-safe.
 */
final class FsckLook {
  private final Map<String, Finding> findings = new TreeMap<>();
  private final Set<String> unasked = new TreeSet<>();

  /** The first one of a kind, superchunk and block counts. */
  void add(Finding finding) {
    findings.putIfAbsent(finding.key(), finding);
  }

  /**
   * Notes what could not be asked, which is a finding by itself.
   *
   * @param what a storage, or a node
   */
  void addUnasked(String what, Optional<Long> superchunkId, String detail) {
    unasked.add(what);
    findings.putIfAbsent(
        Kind.UNREACHABLE + "/" + what,
        Finding.of(Kind.UNREACHABLE, superchunkId, OptionalLong.empty(), detail));
  }

  /** Everything was asked, and is as it should be. */
  boolean isClean() {
    return findings.isEmpty();
  }

  boolean hasAskedTheSameAs(FsckLook other) {
    return unasked.equals(other.unasked);
  }

  /** Forgets what a later look has not found. */
  void retain(FsckLook later) {
    findings.keySet().retainAll(later.findings.keySet());
  }

  void addAll(FsckLook other) {
    other.findings.forEach(findings::putIfAbsent);
  }

  List<Finding> findings() {
    return List.copyOf(findings.values());
  }
}
