/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.BadLine;
import io.hdfsparity.core.trace.BadLines;
import io.hdfsparity.core.trace.TraceFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MsrTraceReaderTest {
  private static final int CELL = 4096;
  private static final String GOOD = "128166410318060999,wdev,1,Write,3165323264,4096,1189";

  private final List<BadLine> bad = new ArrayList<>();

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  private MsrTraceReader reader(byte[] bytes, BadLines mode) throws IOException {
    return new MsrTraceReader(new ByteArrayInputStream(bytes), CELL, mode, bad::add);
  }

  private List<CellRequest> all(byte[] bytes) throws IOException {
    MsrTraceReader reader = reader(bytes, BadLines.SKIP);
    List<CellRequest> all = new ArrayList<>();
    for (CellRequest next = reader.next(); next != null; next = reader.next()) {
      all.add(next);
    }
    assertThat(reader.requestCount()).isEqualTo(all.size());
    assertThat(reader.badLineCount()).isEqualTo(bad.size());
    return all;
  }

  @Test
  void readsPlainAndCompressedLinesWithAndWithoutHeading() throws IOException {
    String text =
        "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\r\n"
            + GOOD
            + "\r\n7,h,0,Read,4095,2,0\n9,h,0,Write,0,1,5";
    List<CellRequest> expected =
        List.of(
            new CellRequest(128166410318060999L, Access.WRITE, 772784, 1),
            new CellRequest(7, Access.READ, 0, 2),
            new CellRequest(9, Access.WRITE, 0, 1));
    assertThat(all(ascii(text))).isEqualTo(expected);
    assertThat(all(gzip(ascii(text)))).isEqualTo(expected);
    assertThat(all(ascii(text.substring(text.indexOf('\n') + 1)))).isEqualTo(expected);
    assertThat(bad).isEmpty();
  }

  @Test
  void anEmptyTraceHasNoRequest() throws IOException {
    assertThat(all(new byte[0])).isEmpty();
    assertThat(all(gzip(new byte[0]))).isEmpty();
    assertThat(all(ascii("Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime"))).isEmpty();
    assertThat(bad).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x|fields=1, expected 7",
        "1,h,0,Write,0,1|fields=6, expected 7",
        "1,h,0,Write,0,1,2,3|fields=8, expected 7",
        "x,h,0,Write,0,1,2|Timestamp=x",
        ",h,0,Write,0,1,2|Timestamp=,",
        "-1,h,0,Write,0,1,2|Timestamp=-1",
        "1,h,0,Trim,0,1,2|Type=Trim, expected Read or Write",
        "1,h,0,,0,1,2|Type=, expected Read or Write",
        "1,h,0,Write,1 2,1,2|Offset=1 2",
        "1,h,0,Write,9223372036854775808,1,2|Offset=9223372036854775808",
        "1,h,0,Write,9223372036854775807,1,2|Offset=9223372036854775807, expected an end below",
        "1,h,0,Write,0,0,2|Size=0, expected > 0",
        "1,h,0,Write,0,17179869185,2|Size=17179869185, expected at most 4194304 cells",
        "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime|Timestamp=Timestamp"
      })
  void aBadLineIsCountedAndSaysWhy(String line, String reason) throws IOException {
    byte[] bytes = ascii(GOOD + "\n" + line + "\n" + GOOD + "\n");
    assertThat(all(bytes)).hasSize(2);
    assertThat(bad).hasSize(1);
    assertThat(bad.get(0).lineNumber()).isEqualTo(2);
    assertThat(bad.get(0).reason()).contains(reason).endsWith(", line=2");
    MsrTraceReader strict = reader(bytes, BadLines.FAIL);
    assertThat(strict.next()).isNotNull();
    assertThatThrownBy(strict::next)
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining(reason)
        .hasMessageEndingWith(", line=2");
  }

  @Test
  void theLongestRequestIsTaken() throws IOException {
    assertThat(all(ascii("1,h,0,Write,0,17179869184,2")))
        .containsExactly(new CellRequest(1, Access.WRITE, 0, CellRequest.MAX_CELL_COUNT));
  }

  @Test
  void aLineWithoutEndDoesNotFillMemory() throws IOException {
    byte[] longLine = new byte[1 << 20];
    Arrays.fill(longLine, (byte) '1');
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(ascii(GOOD + "\n"));
    out.write(longLine);
    out.write(ascii("\n" + GOOD));
    assertThat(all(out.toByteArray())).hasSize(2);
    assertThat(bad).hasSize(1);
    assertThat(bad.get(0).reason()).contains("bytes=more than 4096");
  }

  @Test
  void aCutCompressedStreamIsNotTheEndOfTheTrace() throws IOException {
    byte[] whole = gzip(ascii((GOOD + "\n").repeat(1000)));
    byte[] cut = Arrays.copyOf(whole, whole.length - 12);
    assertThatThrownBy(() -> all(cut)).isInstanceOf(EOFException.class);
  }

  @Test
  void cellsAreThoseOfTheTouchedBytes() {
    SeededRuns.of(200)
        .check(
            random -> {
              int cellSizeBytes = 1 + random.nextInt(50);
              long offset = random.nextInt(500);
              long size = 1 + random.nextInt(200);
              MsrTraceReader reader =
                  new MsrTraceReader(
                      new ByteArrayInputStream(ascii("5,h,0,Write," + offset + "," + size + ",0")),
                      cellSizeBytes,
                      BadLines.FAIL,
                      bad::add);
              long[] touched =
                  java.util.stream.LongStream.range(offset, offset + size)
                      .map(at -> at / cellSizeBytes)
                      .distinct()
                      .toArray();
              assertThat(reader.next())
                  .isEqualTo(new CellRequest(5, Access.WRITE, touched[0], touched.length));
            });
  }

  @Test
  void aTableIsSortedByTimeAndStable() {
    SeededRuns.of(50)
        .check(
            random -> {
              List<CellRequest> requests = new ArrayList<>();
              RequestTable.Builder builder = new RequestTable.Builder();
              int count = random.nextInt(3000);
              for (int i = 0; i < count; i++) {
                CellRequest request =
                    new CellRequest(random.nextInt(100), Access.WRITE, i, 1 + random.nextInt(3));
                requests.add(request);
                builder.add(request);
              }
              RequestTable table = builder.build();
              requests.sort(java.util.Comparator.comparingLong(CellRequest::timeTicks));
              assertThat(table.size()).isEqualTo(count);
              for (int i = 0; i < count; i++) {
                assertThat(
                        new CellRequest(
                            table.timeTicks(i),
                            Access.WRITE,
                            table.firstCell(i),
                            table.cellCount(i)))
                    .isEqualTo(requests.get(i));
              }
              long time = random.nextInt(110);
              assertThat(table.firstAtOrAfter(time))
                  .isEqualTo((int) requests.stream().filter(r -> r.timeTicks() < time).count());
            });
  }
}
