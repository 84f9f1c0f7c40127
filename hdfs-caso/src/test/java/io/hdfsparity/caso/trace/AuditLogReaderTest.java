/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.trace.BadLine;
import io.hdfsparity.core.trace.BadLines;
import io.hdfsparity.core.trace.TraceFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditLogReaderTest {
  private static final String START = "2026-11-21 17:55:55,";

  private final FileCells files = new FileCells(100);
  private final List<BadLine> bad = new ArrayList<>();
  private int millis = 100;
  private final StringBuilder log = new StringBuilder();

  /** A line as FSNamesystemAuditLogger and the usual pattern write it. */
  private AuditLogReaderTest line(boolean allowed, String cmd, String src, String dst) {
    log.append(START).append(millis++).append(" INFO FSNamesystem.audit: allowed=").append(allowed);
    log.append("\tugi=a (auth:SIMPLE)\tip=/10.0.0.1\tcmd=").append(cmd);
    log.append("\tsrc=").append(src).append("\tdst=").append(dst);
    log.append("\tperm=null\tproto=rpc\n");
    return this;
  }

  private AuditLogReaderTest line(String cmd, String src) {
    return line(true, cmd, src, "null");
  }

  private List<CellRequest> read(byte[] bytes, BadLines mode) throws IOException {
    AuditLogReader reader =
        new AuditLogReader(new ByteArrayInputStream(bytes), files, mode, bad::add);
    List<CellRequest> requests = new ArrayList<>();
    for (CellRequest next = reader.next(); next != null; next = reader.next()) {
      requests.add(next);
    }
    assertThat(reader.badLineCount()).isEqualTo(bad.size());
    assertThat(reader.requestCount() + reader.badLineCount() + reader.ignoredLineCount())
        .isEqualTo(new String(bytes, StandardCharsets.UTF_8).lines().count());
    return requests;
  }

  private List<String> requests() throws IOException {
    List<String> texts = new ArrayList<>();
    for (CellRequest each : read(log.toString().getBytes(StandardCharsets.UTF_8), BadLines.FAIL)) {
      assertThat(each.cellCount()).isEqualTo(1);
      texts.add(each.access() + " " + each.firstCell());
    }
    return texts;
  }

  @Test
  void filesAreCellsInTheOrderInWhichTheyCome() throws IOException {
    line("create", "/b").line("open", "/a").line("append", "/b").line("truncate", "/a");
    assertThat(requests()).containsExactly("WRITE 0", "READ 1", "WRITE 0", "WRITE 1");
    assertThat(files.count()).isEqualTo(2);
    assertThat(files.path(0)).isEqualTo("/b");
    assertThat(files.path(1)).isEqualTo("/a");
  }

  @Test
  void otherCommandsDeniedOnesAndWhatIsNoFileAreIgnored() throws IOException {
    line("listStatus", "/a").line("mkdirs", "/d").line("contentSummary", "null");
    line(false, "open", "/a", "null");
    line("open", "/d/.snapshot/s/a").line("open", "/.reserved/.inodes/16400").line("open", "/");
    line("open", "/.reserved/raw/a").line("open", "/a");
    assertThat(requests()).containsExactly("READ 0", "READ 0");
  }

  @Test
  void timeIsInTicks() throws IOException {
    line("open", "/a").line("open", "/a");
    List<CellRequest> two = read(log.toString().getBytes(StandardCharsets.UTF_8), BadLines.FAIL);
    assertThat(two.get(1).timeTicks() - two.get(0).timeTicks()).isEqualTo(10_000);
    assertThat(two.get(0).timeTicks() % 10_000_000).isEqualTo(1_000_000);
  }

  @Test
  void aRenamedFileKeepsItsCellAndADeletedNameGetsANewOne() throws IOException {
    line("create", "/a").line(true, "rename", "/a", "/b").line("open", "/b");
    line("create", "/a").line("delete", "/a").line("create", "/a");
    line(true, "rename (options=[OVERWRITE])", "/b", "/a").line("open", "/a").line("open", "/b");
    assertThat(requests())
        .containsExactly("WRITE 0", "READ 0", "WRITE 1", "WRITE 2", "READ 0", "READ 3");
    assertThat(files.path(0)).isEqualTo("/a");
  }

  @Test
  void directoriesTakeTheirFilesAlong() throws IOException {
    line("create", "/d/x").line("create", "/d/e/y").line("create", "/d0");
    line(true, "rename", "/d", "/f").line("open", "/f/e/y").line("open", "/d0");
    // Into a directory that is there: HDFS logs the directory.
    line("create", "/g/z").line(true, "rename", "/f", "/g").line("open", "/g/f/x");
    line("delete", "/g/f").line("open", "/g/f/x").line("open", "/g/z");
    assertThat(requests())
        .containsExactly(
            "WRITE 0", "WRITE 1", "WRITE 2", "READ 1", "READ 2", "WRITE 3", "READ 0", "READ 4",
            "READ 3");
  }

  @Test
  void concatWritesItsTargetAndDeletesItsSources() throws IOException {
    line("create", "/a").line("create", "/b").line("create", "/c");
    line(true, "concat", "[/b, /c]", "/a").line("create", "/b");
    assertThat(requests()).containsExactly("WRITE 0", "WRITE 1", "WRITE 2", "WRITE 0", "WRITE 3");
  }

  @Test
  void compressedIsTheSame() throws IOException {
    line("create", "/a").line("open", "/ä");
    byte[] plain = log.toString().getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    List<CellRequest> expected = read(plain, BadLines.FAIL);
    AuditLogReader reader =
        new AuditLogReader(
            new ByteArrayInputStream(out.toByteArray()), new FileCells(2), BadLines.FAIL, bad::add);
    assertThat(reader.next()).isEqualTo(expected.get(0));
    assertThat(reader.next()).isEqualTo(expected.get(1));
    assertThat(reader.next()).isNull();
    assertThat(files.path(1)).isEqualTo("/ä");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing of ours|line=without allowed=, expected a line of the audit log",
        "allowed=true|time=missing",
        "2026-11-21 17:55 INFO xxxx allowed=true|time=2026-11-21 17:55 INFO x",
        "2026-11-21 17:55:55,123 INFO a: allowed=maybe|allowed=maybe, expected true or false",
        "2026-11-21 17:55:55,123 INFO a: allowed=true|cmd=missing"
      })
  void aBadLineIsCountedAndSaysWhy(String text, String reason) throws IOException {
    line("open", "/a");
    log.append(text).append('\n');
    line("open", "/a");
    byte[] bytes = log.toString().getBytes(StandardCharsets.UTF_8);
    assertThat(read(bytes, BadLines.SKIP)).hasSize(2);
    assertThat(bad).hasSize(1);
    assertThat(bad.get(0).lineNumber()).isEqualTo(2);
    assertThat(bad.get(0).reason()).contains(reason).endsWith(", line=2");
    assertThatThrownBy(() -> read(bytes, BadLines.FAIL)).isInstanceOf(TraceFormatException.class);
  }

  @Test
  void tooManyFilesAreRefused() {
    AuditLogReaderTest lines = new AuditLogReaderTest();
    lines.line("open", "/a").line("open", "/b");
    assertThatThrownBy(
            () -> {
              AuditLogReader reader =
                  new AuditLogReader(
                      new ByteArrayInputStream(
                          lines.log.toString().getBytes(StandardCharsets.UTF_8)),
                      new FileCells(1),
                      BadLines.SKIP,
                      bad::add);
              reader.next();
              reader.next();
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("files=2, expected at most 1");
  }
}
