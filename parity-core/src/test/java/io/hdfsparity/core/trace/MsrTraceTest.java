/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Requests in bytes; what is bad about a line is tested in cells, by hdfs-caso. */
class MsrTraceTest {
  private static final String TRACE =
      MsrFormat.HEADING
          + "\n128166410318060999,wdev,1,Write,3165323264,4096,1189\r\n"
          + "128166410318061000,wdev,1,Read,5,no,1189\n"
          + "128166410318061001,wdev,1,Read,9223372036854775806,1,0";
  private static final List<ByteRequest> REQUESTS =
      List.of(
          new ByteRequest(128166410318060999L, Access.WRITE, 3165323264L, 4096),
          new ByteRequest(128166410318061001L, Access.READ, Long.MAX_VALUE - 1, 1));

  private final List<BadLine> bad = new ArrayList<>();

  private List<ByteRequest> read(byte[] trace, BadLines badLines) throws IOException {
    MsrTrace reader = new MsrTrace(new ByteArrayInputStream(trace), badLines, bad::add);
    List<ByteRequest> requests = new ArrayList<>();
    for (ByteRequest each = reader.next(); each != null; each = reader.next()) {
      requests.add(each);
    }
    assertThat(reader.badLineCount()).isEqualTo(bad.size());
    assertThat(reader.requestCount()).isEqualTo(requests.size());
    return requests;
  }

  @Test
  void countsBadLinesWithNumberAndReason() throws IOException {
    assertThat(read(TRACE.getBytes(StandardCharsets.US_ASCII), BadLines.SKIP)).isEqualTo(REQUESTS);
    assertThat(bad)
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.lineNumber()).isEqualTo(3);
              assertThat(line.reason()).contains("Size=no", "line=3");
            });
  }

  @Test
  void readsGzip() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(TRACE.getBytes(StandardCharsets.US_ASCII));
    }
    assertThat(read(packed.toByteArray(), BadLines.SKIP)).isEqualTo(REQUESTS);
  }

  /** A mark of UTF-8 at the start, blank lines and blanks around fields say nothing. */
  @Test
  void whatOtherProgramsLeaveAroundTheFieldsIsIgnored() throws IOException {
    String text =
        "\u00ef\u00bb\u00bf 5 , h,0,write\t,0 , 1,-1 \r\n"
            + "\n"
            + "6,h,0,R,0,1,\n"
            + " \r\n"
            + "7,h,0,READ,0,1,0.5\n"
            + "8,h,0,W,0,1,unknown\n"
            + "\n";
    List<ByteRequest> expected =
        List.of(
            new ByteRequest(5, Access.WRITE, 0, 1),
            new ByteRequest(6, Access.READ, 0, 1),
            new ByteRequest(7, Access.READ, 0, 1),
            new ByteRequest(8, Access.WRITE, 0, 1));
    assertThat(read(text.getBytes(StandardCharsets.ISO_8859_1), BadLines.FAIL)).isEqualTo(expected);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
    assertThat(read(packed.toByteArray(), BadLines.FAIL)).isEqualTo(expected);
  }

  @Test
  void aHeadingMayFollowAMark() throws IOException {
    String text = "\u00ef\u00bb\u00bf" + MsrFormat.HEADING + "\n5,h,0,Write,0,1,0\n";
    assertThat(read(text.getBytes(StandardCharsets.ISO_8859_1), BadLines.FAIL)).hasSize(1);
    String shouted = MsrFormat.HEADING.toUpperCase(Locale.ROOT) + "\n5,h,0,Write,0,1,0\n";
    assertThat(read(shouted.getBytes(StandardCharsets.US_ASCII), BadLines.FAIL)).hasSize(1);
  }

  @Test
  void failsAtTheFirstBadLineWhenToldTo() {
    assertThatThrownBy(() -> read(TRACE.getBytes(StandardCharsets.US_ASCII), BadLines.FAIL))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("line=3");
  }

  @Test
  void aGeneratedLineIsReadBack() throws IOException {
    for (ByteRequest request : REQUESTS) {
      assertThat(MsrFormat.parse(request.line())).isEqualTo(request);
    }
  }
}
