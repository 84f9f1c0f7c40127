/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.caso.Traces;
import io.hdfsparity.caso.admin.CasoAdmin;
import io.hdfsparity.caso.correlation.CorrelationAnalysis;
import io.hdfsparity.caso.correlation.CorrelationGraph;
import io.hdfsparity.caso.correlation.CorrelationOptions;
import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.layout.LayoutFiles;
import io.hdfsparity.caso.layout.StoredOrder;
import io.hdfsparity.caso.mapreduce.CorrelationJobs.Counted;
import io.hdfsparity.caso.organize.PaperGreedy;
import io.hdfsparity.caso.organize.Remainder;
import io.hdfsparity.caso.trace.CellRequest;
import io.hdfsparity.caso.trace.MsrTraceReader;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.BadLines;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On Hadoop's job runner for one process, with splits of a few lines. */
class CorrelationJobsTest {
  private static final CorrelationOptions OPTIONS = new CorrelationOptions(2, 12, 100_000);

  @TempDir Path folder;
  private Path traces;
  private Configuration conf;

  @BeforeEach
  void begin() throws IOException {
    traces = Files.createDirectory(folder.resolve("traces"));
    conf = new Configuration();
    conf.set("fs.defaultFS", "file:///");
    conf.set("mapreduce.framework.name", "local");
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    conf.setInt("mapreduce.client.completion.pollinterval", 50);
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", 50);
    conf.setInt("mapreduce.task.io.sort.mb", 8);
    conf.setInt("mapreduce.job.reduces", 3);
    conf.setLong("mapreduce.input.fileinputformat.split.maxsize", 4000);
  }

  private CorrelationJobs jobs() {
    return new CorrelationJobs(
        conf, new org.apache.hadoop.fs.Path(folder.resolve("work").toUri()), stage -> {});
  }

  private Counted count(BadLines badLines) throws IOException {
    return count(OptionalLong.empty(), badLines);
  }

  private Counted count(OptionalLong diskNumber, BadLines badLines) throws IOException {
    return jobs()
        .count(
            new org.apache.hadoop.fs.Path(traces.toUri()), diskNumber, 4096, 10, OPTIONS, badLines);
  }

  private static List<CellRequest> requests(Random random) {
    List<CellRequest> requests = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      requests.addAll(Traces.random(random, Access.WRITE, 150));
      requests.addAll(Traces.random(random, Access.READ, 20));
    }
    // At least one window with more cells than are counted.
    for (long time : new long[] {5_000, 5_010, 5_020}) {
      requests.add(new CellRequest(time, Access.WRITE, 7, time == 5_020 ? 4 : 20));
    }
    // And two with as many, most of which come once.
    for (long time : new long[] {6_000, 6_010}) {
      requests.add(new CellRequest(time, Access.WRITE, 7, 2));
      requests.add(new CellRequest(time, Access.WRITE, 1_000 * time, 30));
    }
    return requests;
  }

  private static String line(CellRequest r) {
    return r.timeTicks()
        + ",h,0,"
        + (r.access() == Access.WRITE ? "Write," : "Read,")
        + r.firstCell() * 4096
        + ","
        + r.cellCount() * 4096L
        + ",0";
  }

  private void write(List<CellRequest> requests, int files) throws IOException {
    for (int file = 0; file < files; file++) {
      boolean isCompressed = file == 1;
      Path path = traces.resolve("t" + file + (isCompressed ? ".csv.gz" : ".csv"));
      try (OutputStream plain = Files.newOutputStream(path);
          OutputStream out = isCompressed ? new GZIPOutputStream(plain) : plain) {
        out.write("Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\r\n".getBytes());
        for (int i = file; i < requests.size(); i += files) {
          out.write((line(requests.get(i)) + "\n").getBytes(StandardCharsets.US_ASCII));
        }
      }
    }
  }

  private static Map<String, Integer> edges(CorrelationGraph graph) {
    Map<String, Integer> edges = new TreeMap<>();
    for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
      for (int edge = graph.edgesBegin(vertex); edge < graph.edgesEnd(vertex); edge++) {
        edges.put(graph.cell(vertex) + " " + graph.cell(graph.neighbour(edge)), graph.degree(edge));
      }
    }
    return edges;
  }

  @Test
  void equalsTheCountInProcess() throws IOException {
    List<CellRequest> requests = requests(new Random(4));
    write(requests, 3);
    List<CellRequest> writes = requests.stream().filter(r -> r.access() == Access.WRITE).toList();
    TimeWindows windows = TimeWindows.of(Traces.table(writes), 10);
    CorrelationGraph expected = new CorrelationAnalysis(OPTIONS).analyse(windows);
    assertThat(expected.leftOutWindowCount()).isPositive();
    Counted counted = count(BadLines.FAIL);
    assertThat(edges(counted.graph())).isNotEmpty().isEqualTo(edges(expected));
    assertThat(counted.graph().leftOutWindowCount()).isEqualTo(expected.leftOutWindowCount());
    assertThat(counted.windows()).isEqualTo(windows.count());
    assertThat(counted.writes()).isEqualTo(writes.size());
    assertThat(counted.reads()).isEqualTo(requests.size() - writes.size());
    assertThat(folder.resolve("work")).isEmptyDirectory();
  }

  @Test
  void badLinesAreCountedOrFailTheJob() throws IOException {
    Files.writeString(
        traces.resolve("t.csv"), "1,h,0,Write,0,8192,0\nx\n11,h,0,Write,0,8192,0\n1,2\n");
    Counted counted = count(BadLines.SKIP);
    assertThat(counted.badLines()).isEqualTo(2);
    assertThat(counted.graph().degreeOf(0, 1)).isEqualTo(2);
    assertThatThrownBy(() -> count(BadLines.FAIL))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected success");
    assertThat(folder.resolve("work")).isEmptyDirectory();
  }

  /** What is a line, and what it says, is the same here and in the process of a client. */
  @Test
  void linesAreUnderstoodAsInProcess() throws IOException {
    String text =
        "\u00ef\u00bb\u00bf1, h\u00fc,0,write,0,8192,\r\n"
            + "\n \r\n"
            + "1,h,0,R,0,1,-1\n"
            + "11,h,0,W,0,8192,0.5\r\n"
            + "11,h,\u00a00,Write,\u00a00,8192,0\n"
            + "11,h,0,Write,0,8192,0\r11,h,0,Write,0,8192,0\n"
            + "1,h,0,Write,0,8192,"
            + "0".repeat(4096)
            + "\n\n";
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    Files.write(traces.resolve("t.csv"), bytes);
    MsrTraceReader reader =
        new MsrTraceReader(new ByteArrayInputStream(bytes), 4096, BadLines.SKIP, bad -> {});
    RequestTable.Builder writes = new RequestTable.Builder();
    RequestTable.fill(reader, writes, new RequestTable.Builder());
    Counted counted = count(BadLines.SKIP);
    assertThat(counted.writes()).isEqualTo(2).isEqualTo(writes.build().size());
    assertThat(counted.reads()).isEqualTo(1).isEqualTo(reader.requestCount() - 2);
    assertThat(counted.badLines()).isEqualTo(3).isEqualTo(reader.badLineCount());
    assertThat(counted.graph().degreeOf(0, 1)).isEqualTo(2);
  }

  /** Of several splits and files, each with volumes that others have as well. */
  @Test
  void volumesAreToldApartAndChosen() throws IOException {
    String both = "1,hm,0,Write,0,8192,0\n1,hm,1,Write,8192,8192,0\n2,hm,1,Read,0,1,0\n";
    Files.writeString(traces.resolve("a.csv"), both.repeat(100));
    Files.writeString(traces.resolve("b.csv"), both.replace("hm,1", "web,16400"));
    Files.writeString(traces.resolve("c.csv"), both.replace("hm,1", "hm,16400"));
    Counted all = count(OptionalLong.empty(), BadLines.FAIL);
    assertThat(all.volumes()).containsExactly("hm disk 0", "hm disk 1", "inode 16400");
    assertThat(all.writes()).isEqualTo(204);
    assertThat(all.otherRequests()).isZero();
    Counted chosen = count(OptionalLong.of(16400), BadLines.FAIL);
    assertThat(chosen.volumes()).containsExactly("inode 16400");
    assertThat(chosen.writes()).isEqualTo(2);
    assertThat(chosen.reads()).isEqualTo(2);
    assertThat(chosen.otherRequests()).isEqualTo(302);
    assertThat(folder.resolve("work")).isEmptyDirectory();
  }

  @Test
  void theCommandOrganizesByTheCount() throws IOException {
    List<CellRequest> requests = requests(new Random(8));
    write(requests, 1);
    conf.set("dfs.parity.caso.analysis.max.window.cells", "12");
    Path saved = folder.resolve("o.caso");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    CasoAdmin admin =
        new CasoAdmin(
            conf,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    String[] arguments = {
      "-analyze",
      traces.toString(),
      "-k",
      "3",
      "-m",
      "1",
      "-distance",
      "1us",
      "-mapreduce",
      "-work",
      folder.resolve("work").toString(),
      "-out",
      saved.toString(),
      "-length",
      "200k",
      "-json"
    };
    assertThat(admin.run(arguments)).as("%s", err).isZero();
    JsonNode d = new ObjectMapper().readTree(out.toByteArray());
    assertThat(d.at("/trace/volumes").asInt()).isEqualTo(1);
    assertThat(d.at("/default/estimatedGain").isNull()).isTrue();
    List<CellRequest> writes = requests.stream().filter(r -> r.access() == Access.WRITE).toList();
    CorrelationGraph expected =
        new CorrelationAnalysis(OPTIONS).analyse(TimeWindows.of(Traces.table(writes), 10));
    assertThat(d.at("/analysed/correlatedPairs").asInt()).isEqualTo(expected.edgeCount());
    assertThat(LayoutFiles.read(saved).order())
        .isEqualTo(StoredOrder.of(new PaperGreedy(3, Remainder.LAST_GROUP).organize(expected), 50));
    Files.delete(saved);
    arguments[13] = "-stripes";
    arguments[14] = "3";
    assertThat(admin.run(arguments)).isEqualTo(-1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("-length is missing");
    arguments[11] = "-inode";
    arguments[12] = "16400";
    assertThat(admin.run(arguments)).isEqualTo(-1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("requests left out by -inode=" + requests.size());
  }
}
