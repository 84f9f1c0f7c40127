/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.client;

import io.hdfsparity.bridge.status.HadoopLine;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;

/** Where the suite's classes have to be: with Hadoop's own, in parts of whose packages they are. */
public final class HadoopClassPath {
  private HadoopClassPath() {}

  /**
   * Java does not let a class of another class loader override what is private to a package, and
   * says nothing: files would be read as Hadoop alone reads them.
   *
   * @param ours class of the suite in a package of Hadoop
   * @param hadoops class of Hadoop in the same package
   * @throws IOException if they are of different class loaders, or the Hadoop here is of another
   *     line than the suite was built for
   */
  public static void require(Class<?> ours, Class<?> hadoops) throws IOException {
    HadoopLine.current().requireOrFail();
    if (ours.getClassLoader() != hadoops.getClassLoader()) {
      throw new IOException(
          ErrorMessage.to("use the suite's client")
              .value("class loader", ours.getClassLoader())
              .expected(
                  "the suite's jars on the class path of Hadoop's own (HADOOP_CLASSPATH), which is "
                      + hadoops.getClassLoader())
              .where("class", ours.getName())
              .message());
    }
  }
}
