/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.nio.file.Path;

/** A program or library that uses HDFS. For one thread. */
interface Client extends AutoCloseable {
  /** Headline of its table. */
  String title();

  /** Whether the suite's jar could be given to it, so that it could do what it else cannot. */
  boolean takesOurJar();

  /** Whether it has such an operation. */
  default boolean offers(Operation operation) {
    return true;
  }

  /**
   * One operation.
   *
   * @param path in HDFS: of a file, or of the directory to list
   * @param local the file to read into, or whose content is written
   */
  Answer run(Operation operation, String path, Path local) throws Exception;

  @Override
  void close() throws Exception;
}
