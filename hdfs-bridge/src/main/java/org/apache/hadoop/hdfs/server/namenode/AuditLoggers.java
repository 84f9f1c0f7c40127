/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.status.HadoopLine;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * The audit loggers of a NameNode, so that a plugin finds its own among them.
 *
 * <p>Reaches: FSNamesystem.auditLoggers, private, by reflection: the namesystem makes the loggers
 * in its constructor, before there is a NameNode that could take them, and has no accessor. Checked
 * for Hadoop 3.5.0. Stateless.
 */
public final class AuditLoggers {
  private AuditLoggers() {}

  /**
   * The loggers of one class.
   *
   * @throws IllegalStateException if this version of Hadoop keeps them elsewhere
   */
  public static <T extends AuditLogger> List<T> of(FSNamesystem namesystem, Class<T> type) {
    List<T> found = new ArrayList<>();
    for (Object logger : all(namesystem)) {
      if (type.isInstance(logger)) {
        found.add(type.cast(logger));
      }
    }
    return found;
  }

  private static List<?> all(FSNamesystem namesystem) {
    try {
      Field field = FSNamesystem.class.getDeclaredField("auditLoggers");
      field.setAccessible(true);
      return (List<?>) field.get(namesystem);
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new IllegalStateException(
          "Cannot find the audit loggers: field=auditLoggers, expected a list in "
              + FSNamesystem.class.getName()
              + " as in Hadoop "
              + HadoopLine.current().versions(),
          e);
    }
  }
}
