/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.bridge.feature.FeatureContext;
import io.hdfsparity.raidp.datanode.RaidpDataNodeFeature;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** RAIDP in the DataNode, or a feature that throws at start while {@link #BROKEN} is set. */
public final class SwitchedFeature extends RaidpDataNodeFeature {
  /** The plugin itself makes the feature, so there is no other way to tell it. */
  static final AtomicBoolean BROKEN = new AtomicBoolean();

  @Override
  public void start(FeatureContext<DataNode> started) {
    if (BROKEN.get()) {
      throw new IllegalStateException("Cannot start: feature=broken, expected a working one");
    }
    super.start(started);
  }
}
