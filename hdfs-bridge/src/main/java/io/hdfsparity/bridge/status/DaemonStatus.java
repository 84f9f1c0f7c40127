/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.util.VersionInfo;

/**
 * What a daemon answers. Immutable.
 *
 * @param software that it runs
 * @param clockMs since the epoch, by the daemon's clock
 * @param keys values that the daemon goes by ({@link ReportedKeys})
 * @param directories of a DataNode
 * @param nameNode empty: it is a DataNode
 * @param nodeUuid of a DataNode; empty: it is a NameNode, or has not registered yet
 */
public record DaemonStatus(
    Software software,
    long clockMs,
    List<FeatureStatus> features,
    Map<String, String> keys,
    List<DirectorySpace> directories,
    Optional<NameNodeFacts> nameNode,
    String nodeUuid) {
  /**
   * What a daemon runs.
   *
   * @param nativeCode empty: ISA-L is loaded, or was not looked for; else why it is not
   */
  public record Software(String suiteVersion, String hadoopVersion, String nativeCode) {
    static Software here(String nativeCode) {
      return new Software(SuiteVersion.get(), VersionInfo.getVersion(), nativeCode);
    }
  }

  public DaemonStatus {
    features = List.copyOf(features);
    keys = Collections.unmodifiableMap(new LinkedHashMap<>(keys));
    directories = List.copyOf(directories);
  }

  /** A key's value; empty text where it is not set and has no default. */
  public String key(String name) {
    return keys.getOrDefault(name, "");
  }

  /** A feature, or a further part of one. */
  public Optional<FeatureStatus> part(String part) {
    return features.stream().filter(each -> each.part().equals(part)).findFirst();
  }

  /** What a feature tells of itself by a name; empty: nothing. */
  public Optional<String> figure(String feature, String name) {
    return part(feature).flatMap(each -> Optional.ofNullable(each.figures().get(name)));
  }

  /** In words, why the main part of a feature was never started; empty: it was, or is not there. */
  public Optional<String> whyOff(String feature) {
    return part(feature).filter(each -> each.state() == FeatureState.OFF).map(FeatureStatus::words);
  }

  /** Whether the main part of a feature is in service. */
  public boolean serves(String feature) {
    return part(feature).filter(FeatureStatus::isInService).isPresent();
  }
}
