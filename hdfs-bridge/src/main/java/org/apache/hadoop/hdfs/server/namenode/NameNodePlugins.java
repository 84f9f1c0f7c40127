/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.status.HadoopLine;
import java.lang.reflect.Field;
import java.util.List;

/**
 * The plugins of a NameNode, for who asks those of a kind. Features do not know each other, and
 * there is no state of ours that they could share: the list of plugins is the NameNode's own. It
 * also has those that could not start.
 *
 * <p>Reaches: NameNode.plugins, private, by reflection. It is set before the first plugin is
 * started. Checked for Hadoop 3.5.0. Thread-safe.
 */
final class NameNodePlugins {
  private static final String FIELD = "plugins";

  private final NameNode nameNode;
  private final Field plugins;

  /**
   * @throws IllegalStateException when this Hadoop is another one
   */
  NameNodePlugins(NameNode nameNode) {
    this.nameNode = nameNode;
    try {
      plugins = NameNode.class.getDeclaredField(FIELD);
      plugins.setAccessible(true);
    } catch (NoSuchFieldException | RuntimeException e) {
      throw new IllegalStateException(
          "Cannot find the plugins of the NameNode: field="
              + FIELD
              + ", expected a list in "
              + NameNode.class.getName()
              + " as in Hadoop "
              + HadoopLine.current().versions(),
          e);
    }
  }

  /** Those of a kind. */
  <T> List<T> of(Class<T> kind) {
    try {
      List<?> all = (List<?>) plugins.get(nameNode);
      return all.stream().filter(kind::isInstance).<T>map(kind::cast).toList();
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Cannot read " + plugins, e);
    }
  }
}
