/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.junit.jupiter.api.Test;

class ClusterFileTest {
  @Test
  void whatIsNoFileIsToldApart() throws Exception {
    HdfsFileStatus file = new HdfsFileStatus.Builder().length(1).build();
    assertThat(ClusterFile.file("/a", file)).isSameAs(file);
    HdfsFileStatus directory = new HdfsFileStatus.Builder().isdir(true).build();
    assertThatThrownBy(() -> ClusterFile.file("/a", directory))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("Cannot find a file: file=/a, expected a file, it is a directory");
    assertThatThrownBy(() -> ClusterFile.file("/a", null))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("Cannot find a file: file=/a, expected a file that exists");
  }
}
