/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.metrics;

import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** Sources of metrics of this process. Stateless. */
public final class MetricSources {
  private MetricSources() {}

  /**
   * Makes a source visible. One that failed leaves its values behind: the next one of its name in
   * the process takes their place.
   *
   * @return the source
   */
  public static <T extends MetricsSource> T register(String name, String meaning, T source) {
    unregister(name);
    return DefaultMetricsSystem.instance().register(name, meaning, source);
  }

  /** A source is not visible any more, if it was. */
  public static void unregister(String name) {
    DefaultMetricsSystem.instance().unregisterSource(name);
  }
}
