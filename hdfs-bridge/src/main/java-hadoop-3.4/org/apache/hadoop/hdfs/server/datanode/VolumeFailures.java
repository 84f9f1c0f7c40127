/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode;

import io.hdfsparity.bridge.status.HadoopLine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Set;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Declares volumes of a DataNode failed.
 *
 * <p>Reaches: DataNode.handleVolumeFailures, public in Hadoop 3.5 and private in 3.4. Checked for
 * Hadoop 3.4.3. Stateless.
 */
public final class VolumeFailures {
  private static final Method HANDLE = method();

  private VolumeFailures() {}

  private static Method method() {
    try {
      Method method = DataNode.class.getDeclaredMethod("handleVolumeFailures", Set.class);
      method.setAccessible(true);
      return method;
    } catch (NoSuchMethodException | RuntimeException e) {
      throw new IllegalStateException(
          HadoopLine.current().message("reach DataNode.handleVolumeFailures"), e);
    }
  }

  /** As a failed check of these volumes does. */
  public static void handle(DataNode datanode, Set<FsVolumeSpi> failed) {
    try {
      HANDLE.invoke(datanode, failed);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Cannot declare volumes failed: method=" + HANDLE, e);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new IllegalStateException("Cannot declare volumes failed: volumes=" + failed, e);
    }
  }
}
