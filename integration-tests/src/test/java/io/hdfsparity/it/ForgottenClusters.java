/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * After each test class, lets go of the clusters that it had. A JVM runs dozens of classes one
 * after the other, and a NameNode that is reachable keeps some 15 MiB of tables for its blocks and
 * inodes.
 *
 * <p>What holds them is the class's own static fields, and the metrics system: it counts how often
 * it was started and stopped, a MapReduce job in this process starts it and never stops it ({@code
 * LocalJobRunnerMetrics.create}), and from then on it keeps each source of each cluster.
 *
 * <p>Found by {@link java.util.ServiceLoader}, so that no test class has to name it.
 */
public final class ForgottenClusters implements AfterAllCallback {
  @Override
  public void afterAll(ExtensionContext context) throws IllegalAccessException {
    MetricsSystem metrics = DefaultMetricsSystem.instance();
    while (!metrics.shutdown()) {
      // Stopped as often as it was started, it lets go of all.
    }
    DefaultMetricsSystem.shutdown(); // and of their names
    for (Field field : context.getRequiredTestClass().getDeclaredFields()) {
      int modifiers = field.getModifiers();
      if (Modifier.isStatic(modifiers)
          && !Modifier.isFinal(modifiers)
          && !field.getType().isPrimitive()) {
        field.setAccessible(true);
        field.set(null, null);
      }
    }
  }
}
