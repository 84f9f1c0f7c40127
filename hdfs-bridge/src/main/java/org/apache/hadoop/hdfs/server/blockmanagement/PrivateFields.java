/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.status.HadoopLine;
import java.lang.reflect.Field;

/** Fields of Hadoop's that have no accessor. Stateless. */
public final class PrivateFields {
  private PrivateFields() {}

  /**
   * @throws IllegalStateException when this Hadoop has no such field
   */
  public static Field of(Class<?> type, String name) {
    try {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException | RuntimeException e) {
      throw new IllegalStateException(
          HadoopLine.current().message("reach " + type.getName() + "." + name), e);
    }
  }

  public static Object get(Field field, Object owner) {
    try {
      return field.get(owner);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Cannot read " + field, e);
    }
  }

  public static void set(Field field, Object owner, Object value) {
    try {
      field.set(owner, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Cannot write " + field, e);
    }
  }
}
