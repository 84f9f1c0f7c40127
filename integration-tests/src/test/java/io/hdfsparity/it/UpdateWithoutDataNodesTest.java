/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.admin.EcUpdateAdmin;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode that admits updates, and DataNodes that do not serve them. */
@Tag("full")
@Timeout(300)
class UpdateWithoutDataNodesTest {
  @Test
  void isNotHealthy(@TempDir Path root) throws Exception {
    try (MiniLevels levels = MiniLevels.start(MiniSessions.conf(), root, 1)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
      Configuration conf = new Configuration(levels.clientConf());
      conf.set(
          CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY,
          levels.cluster().getFileSystem().getUri().toString());
      EcUpdateAdmin admin = new EcUpdateAdmin(conf, InputStream.nullInputStream(), out, out);
      int code = admin.run(new String[] {"-status"});
      String printed = bytes.toString(StandardCharsets.UTF_8);
      assertThat(code).as(printed).isEqualTo(-1);
      assertThat(printed).contains("0 DataNodes").contains("no DataNode reports");
    }
  }
}
