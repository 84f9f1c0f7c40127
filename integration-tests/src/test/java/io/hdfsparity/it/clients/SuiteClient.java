/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import io.hdfsparity.ParityFileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The suite's file system, with all features. */
final class SuiteClient implements Client {
  private final FileSystem fs;

  SuiteClient(Configuration cluster) throws IOException {
    Configuration conf = new Configuration(cluster);
    conf.set("fs.hdfs.impl", ParityFileSystem.class.getName());
    fs = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
  }

  /** It may locate the blocks of any file. */
  DistributedFileSystem fileSystem() {
    return (DistributedFileSystem) fs;
  }

  @Override
  public String title() {
    return "The suite's file system, Hadoop 3.5.0";
  }

  @Override
  public boolean takesOurJar() {
    return false;
  }

  @Override
  public Answer run(Operation operation, String path, Path local) {
    String told;
    try {
      told = ClientProgram.api(fs, operation.label(), path, local.toString());
    } catch (IOException | RuntimeException e) {
      return Answer.refused(ClientProgram.describe(e));
    }
    Map<String, Long> listed = new TreeMap<>();
    for (String word : told.split("\t")) {
      int at = word.lastIndexOf('=');
      if (at > 0) {
        listed.put(word.substring(0, at), Long.parseLong(word.substring(at + 1)));
      }
    }
    return Answer.done(listed);
  }

  @Override
  public void close() throws IOException {
    fs.close();
  }
}
