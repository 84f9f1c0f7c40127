/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.raidp.datanode.RaidpDataNodePlugin;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.util.ServicePlugin;

/** The DataNode's plugin, or one that throws at start while {@link #BROKEN} is set. */
public final class SwitchedPlugin implements ServicePlugin {
  /** Hadoop makes the plugin itself, so there is no other way to tell it. */
  static final AtomicBoolean BROKEN = new AtomicBoolean();

  private final RaidpDataNodePlugin plugin = new RaidpDataNodePlugin();

  @Override
  public void start(Object service) {
    if (BROKEN.get()) {
      throw new IllegalStateException("Cannot start: plugin=broken, expected a working one");
    }
    plugin.start(service);
  }

  @Override
  public void stop() {
    plugin.stop();
  }

  @Override
  public void close() throws IOException {
    plugin.close();
  }
}
