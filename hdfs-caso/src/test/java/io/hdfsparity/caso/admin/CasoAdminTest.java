/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.caso.layout.LayoutFiles;
import io.hdfsparity.caso.layout.LayoutIndex;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;

class CasoAdminTest {
  @TempDir Path folder;

  private final Configuration conf = new Configuration(false);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    out.reset();
    err.reset();
    return new CasoAdmin(
            conf,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
        .run(arguments);
  }

  private JsonNode json(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("-json");
    assertThat(run(all.toArray(String[]::new))).as("%s", err).isZero();
    return new ObjectMapper().readTree(out.toByteArray());
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** Five triples of cells far apart, written in turn, a window each; and a read now and then. */
  private static String patterns(int windows) {
    StringBuilder text = new StringBuilder();
    for (int window = 0; window < windows; window++) {
      long pattern = window % 5;
      for (long cell : new long[] {pattern, 1000 + 7 * pattern, 5000 + 9 * pattern}) {
        text.append(window * 10_000L + 3).append(",h,0,Write,").append(4096 * cell);
        text.append(",4096,0\n");
      }
      if (window % 10 == 0) {
        text.append(window * 10_000L + 5).append(",h,0,Read,0,8192,0\n");
      }
    }
    return text.toString();
  }

  private Path trace(String text) throws IOException {
    return Files.writeString(folder.resolve("t.csv"), text);
  }

  private JsonNode row(JsonNode doc, String name) {
    for (JsonNode row : doc.path("organizations")) {
      if (row.path("name").asText().equals(name)) {
        return row;
      }
    }
    throw new AssertionError(name);
  }

  @Test
  void comparesOrganizations() throws IOException {
    Path trace = trace(patterns(60));
    JsonNode d = json("-compare", trace.toString(), "-k", "3", "-m", "2");
    assertThat(d.at("/trace/writes").asInt()).isEqualTo(180);
    assertThat(d.at("/trace/reads").asInt()).isEqualTo(6);
    assertThat(d.at("/analysed/windows").asInt()).isEqualTo(30);
    assertThat(d.at("/analysed/correlatedCells").asInt()).isEqualTo(15);
    assertThat(d.at("/replayed/windows").asInt()).isEqualTo(30);
    assertThat(d.at("/replayed/reads").asInt()).isEqualTo(3);
    // Three stripes a window under BSO, one under all others, two parity cells each.
    assertThat(row(d, "bso").path("parityUpdates").asInt()).isEqualTo(180);
    for (String name : List.of("algorithm1", "authors-code")) {
      assertThat(row(d, name).path("parityUpdates").asInt()).isEqualTo(60);
      assertThat(row(d, name).path("parityUpdatesOfBso").asDouble()).isEqualTo(1 / 3.0);
    }
    // Cells 0 and 1 in one stripe of three: 2 x 1; in two stripes: 2 + 2.
    assertThat(row(d, "bso").path("additionalDegradedReads").asInt()).isEqualTo(6);
    assertThat(row(d, "algorithm1").path("additionalDegradedReads").asInt()).isEqualTo(12);
    // Cells 0 and 1 stay together, which costs a stripe more in the windows of their patterns.
    assertThat(row(d, "default").path("additionalDegradedReads").asInt()).isEqualTo(6);
    assertThat(row(d, "default").path("parityUpdates").asInt()).isEqualTo(84);
    assertThat(d.at("/default/estimatedDegradedReadGain").asDouble()).isZero();
    assertThat(d.at("/default/method").asText()).isNotEqualTo("sequential");
    assertThat(d.at("/default/estimatedGain").asDouble()).isBetween(0.4, 0.6);
    assertThat(run("-compare", trace.toString(), "-k", "3", "-m", "2")).isZero();
    assertThat(out())
        .contains("180 writes, 6 reads")
        .contains("3 data and 2 parity cells a stripe, cells of 4.0 KiB")
        .containsPattern("bso +180 +100.0 % +6 +100.0 %")
        .containsPattern("default +84 +46.7 % +6 +100.0 %");
    assertThat(err()).isEmpty();
  }

  @Test
  void plots() throws Exception {
    String trace = trace(patterns(60)).toString();
    Path plot = folder.resolve("p.svg");
    json("-compare", trace, "-k", "3", "-m", "2", "-plot", plot.toString());
    Document svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(plot.toFile());
    assertThat(svg.getDocumentElement().getTextContent())
        .contains("RS(3,2), t.csv", "default", "46.7 %", "100.0 %");
    // Ground, two in the legend, two for each organization.
    assertThat(svg.getElementsByTagName("rect").getLength()).isEqualTo(1 + 2 + 8);
    assertThat(run("-compare", trace, "-k", "3", "-m", "2", "-plot", plot.toString()))
        .isEqualTo(-1);
    assertThat(err()).contains("expected none of that name");
  }

  @Test
  void parametersChangeTheAnalysis() throws IOException {
    String trace = trace(patterns(60)).toString();
    JsonNode all =
        json("-compare", trace, "-k", "3", "-m", "1", "-ratio", "1", "-distance", "500us");
    assertThat(all.at("/replayed/windows").asInt()).isZero();
    assertThat(all.at("/parameters/distanceTicks").asInt()).isEqualTo(5000);
    assertThat(row(all, "bso").path("parityUpdatesOfBso").isNull()).isTrue();
    JsonNode high = json("-compare", trace, "-k", "3", "-m", "1", "-threshold", "7");
    assertThat(high.at("/analysed/correlatedPairs").asInt()).isZero();
    JsonNode big = json("-compare", trace, "-k", "3", "-m", "1", "-cell", "1M");
    assertThat(big.at("/parameters/cellBytes").asInt()).isEqualTo(1 << 20);
    JsonNode wide = json("-compare", trace, "-k", "3", "-m", "1", "-distance", "5ms");
    assertThat(wide.at("/analysed/windows").asInt()).isEqualTo(6);
  }

  @Test
  void compressedTracesAreRead() throws IOException {
    String text = patterns(20);
    int writes = 60;
    Path gz = folder.resolve("named-otherwise");
    try (OutputStream to = new GZIPOutputStream(Files.newOutputStream(gz))) {
      to.write(text.getBytes(StandardCharsets.US_ASCII));
    }
    Path bz2 = folder.resolve("t.csv.bz2");
    BZip2Codec codec = new BZip2Codec();
    codec.setConf(conf);
    try (OutputStream to = codec.createOutputStream(Files.newOutputStream(bz2))) {
      to.write(text.getBytes(StandardCharsets.US_ASCII));
    }
    for (Path file : List.of(gz, bz2)) {
      JsonNode d = json("-compare", file.toString(), "-k", "4", "-m", "2");
      assertThat(d.at("/trace/writes").asInt()).isEqualTo(writes);
    }
    byte[] whole = Files.readAllBytes(gz);
    Files.write(gz, java.util.Arrays.copyOf(whole, whole.length - 20));
    assertThat(run("-compare", gz.toString(), "-k", "4", "-m", "2")).isEqualTo(-1);
    assertThat(err()).contains("expected a whole file, file=" + gz);
  }

  @Test
  void badLinesAreCountedShownAndRefusedWhenStrict() throws IOException {
    String trace = trace("x\n".repeat(15) + patterns(20)).toString();
    JsonNode d = json("-compare", trace, "-k", "4", "-m", "2");
    assertThat(d.at("/trace/badLines").asInt()).isEqualTo(15);
    assertThat(err())
        .contains("Left out: Cannot read trace: fields=1, expected 7, line=1 file=" + trace)
        .contains("line=10 ")
        .doesNotContain("line=11 ")
        .contains("Further bad lines are counted, but not shown");
    assertThat(run("-compare", trace, "-k", "4", "-m", "2")).isZero();
    assertThat(out()).contains("15 BAD LINES LEFT OUT");
    assertThat(run("-compare", trace, "-k", "4", "-m", "2", "-strict")).isEqualTo(-1);
    assertThat(err())
        .isEqualToIgnoringNewLines(
            "compare: Cannot read trace: fields=1, expected 7, line=1 file=" + trace);
    assertThat(out()).isEmpty();
  }

  @Test
  void tracesThatSayNothingAreRefused() throws IOException {
    for (String text : List.of("", "x\n", "5,h,0,Read,0,1,0\n")) {
      assertThat(run("-compare", trace(text).toString(), "-k", "4", "-m", "2")).isEqualTo(-1);
      assertThat(err()).contains("writes=0").contains("expected at least one write, file=");
    }
    assertThat(run("-compare", folder.resolve("none").toString(), "-k", "4", "-m", "2"))
        .isEqualTo(-1);
    assertThat(err()).contains("file=" + folder.resolve("none") + ", expected a local file");
    assertThat(run("-analyze", folder.toString(), "-k", "4", "-m", "2")).isEqualTo(-1);
    assertThat(err()).contains("expected a file, or a directory with traces of updaters");
    assertThat(run("-analyze", folder.toString(), "-k", "4", "-m", "2", "-format", "audit"))
        .isEqualTo(-1);
    assertThat(err()).contains("expected a file, not a directory");
  }

  /** As updaters of two hosts leave them, one of them killed in the middle of a line. */
  @Test
  void whatUpdatersNotedOfOneFileIsOneTrace() throws IOException {
    String[] lines = patterns(60).split("(?<=\n)");
    StringBuilder[] parts = {new StringBuilder(), new StringBuilder(), new StringBuilder()};
    for (int i = 0; i < lines.length; i++) {
      parts[i * parts.length / lines.length].append(lines[i]);
    }
    JsonNode whole = json("-analyze", trace(patterns(60)).toString(), "-k", "3", "-m", "2");
    Path directory = Files.createDirectory(folder.resolve("updates"));
    String unfinished = parts[1] + "128166372";
    Files.writeString(directory.resolve("updates-77-ha-01-00000001.csv"), parts[2]);
    Files.writeString(directory.resolve("updates-77-hb-02-00000001.csv"), parts[0]);
    Files.writeString(directory.resolve("updates-77-hb-02-00000002.csv"), unfinished);
    Files.writeString(directory.resolve("notes.txt"), "no trace");
    JsonNode d = json("-analyze", directory.toString(), "-k", "3", "-m", "2");
    assertThat(d.at("/trace/writes").asInt()).isEqualTo(180);
    assertThat(d.at("/trace/reads").asInt()).isEqualTo(6);
    assertThat(d.at("/trace/badLines").asInt()).isEqualTo(1);
    assertThat(err()).contains("updates-77-hb-02-00000002.csv");
    assertThat(d.path("default")).isEqualTo(whole.path("default"));
    assertThat(d.path("organization")).isEqualTo(whole.path("organization"));
    // With those of another file somebody has to say which.
    Files.writeString(directory.resolve("updates-78-ha-03-00000001.csv"), "5,h,0,Write,0,1,0\n");
    assertThat(run("-analyze", directory.toString(), "-k", "3", "-m", "2")).isEqualTo(-1);
    assertThat(err()).contains("inodes=[77, 78], expected those of one file, or -inode N");
    String[] one = {"-analyze", directory.toString(), "-k", "3", "-m", "2", "-inode", "77"};
    assertThat(json(one).at("/trace/writes").asInt()).isEqualTo(180);
    one[7] = "79";
    assertThat(run(one)).isEqualTo(-1);
    assertThat(err()).contains("inodes=[77, 78]").contains("updates-79-*.csv");
    one[7] = "x";
    assertThat(run(one)).isEqualTo(-1);
    assertThat(err()).contains("-inode=x, expected the number of an inode");
  }

  @Test
  void volumesThatBecomeOneAreSaidAndCanBeChosen() throws IOException {
    String one = patterns(60);
    String trace = trace(one + one.replace(",h,0,", ",h,1,")).toString();
    JsonNode merged = json("-compare", trace, "-k", "3", "-m", "2");
    assertThat(merged.at("/trace/volumes").asInt()).isEqualTo(2);
    assertThat(merged.at("/trace/writes").asInt()).isEqualTo(360);
    assertThat(run("-analyze", trace, "-k", "3", "-m", "2")).isZero();
    assertThat(out()).contains("360 writes, 12 reads, 2 VOLUMES MERGED INTO ONE ADDRESS SPACE");
    JsonNode chosen = json("-compare", trace, "-k", "3", "-m", "2", "-inode", "1");
    assertThat(chosen.at("/trace/volumes").asInt()).isEqualTo(1);
    assertThat(chosen.at("/trace/writes").asInt()).isEqualTo(180);
    assertThat(chosen.at("/trace/requestsOfOtherVolumes").asInt()).isEqualTo(186);
    assertThat(run("-analyze", trace, "-k", "3", "-m", "2", "-inode", "1")).isZero();
    assertThat(out())
        .contains("180 writes, 6 reads, 186 requests of other volumes left out")
        .doesNotContain("MERGED");
    assertThat(run("-compare", trace, "-k", "3", "-m", "2", "-inode", "2")).isEqualTo(-1);
    assertThat(err())
        .contains("writes=0")
        .contains("requests left out by -inode=372, of=[h disk 0, h disk 1], expected at least");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-m 2|-k is missing",
        "-k 4|-m is missing",
        "-k 1 -m 2|-k=1, expected 2 to 255",
        "-k four -m 2|-k=four, expected a whole number",
        "-k 4 -m 0|-m=0, expected 1 to 255",
        "-k 4 -m 2 -ratio 1.5|-ratio=1.5, expected 0 to 1",
        "-k 4 -m 2 -ratio NaN|-ratio=NaN, expected 0 to 1",
        "-k 4 -m 2 -ratio x|-ratio=x, expected a number from 0 to 1",
        "-k 4 -m 2 -cell 0|-cell=0",
        "-k 4 -m 2 -cell 4G|-cell=4G, expected below 2 GiB",
        "-k 4 -m 2 -distance 5|-distance=5, expected a time above 0",
        "-k 4 -m 2 -distance 0ms|-distance=0ms, expected a time above 0",
        "-k 4 -m 2 -distance 999999999999999h|-distance=",
        "-k 4 -m 2 -threshold 1|-threshold=1, expected 2 to",
        "-k 4 -m 2 -seed -1|-seed=-1",
        "-k 4 -m 2 -format xml|-format=xml, expected msr or audit",
        "-k 4 -m 2 -format audit -cell 4k|-cell=4k, expected none",
        "-k 4 -m 2 -format audit -inode 16400|-inode, expected with a block trace only",
        "-k 4 -m 2 -k 4|-k is given twice",
        "-k 4 -m 2 -fast|unknown argument -fast",
        "-k 4 -m 2 second|unknown argument second"
      })
  void argumentsThatAreWrongAreExplained(String arguments, String reason) throws IOException {
    List<String> all = new ArrayList<>(List.of("-compare", trace(patterns(4)).toString()));
    all.addAll(List.of(arguments.split(" ")));
    assertThat(run(all.toArray(String[]::new))).isEqualTo(-1);
    assertThat(err()).startsWith("compare: ").contains(reason).contains("Usage: hdfs caso");
  }

  @Test
  void keysAreChecked() throws IOException {
    String trace = trace(patterns(10)).toString();
    conf.set("dfs.parity.caso.analysis.max.pairz", "1");
    assertThat(run("-compare", trace, "-k", "4", "-m", "2")).isEqualTo(-1);
    assertThat(err()).contains("dfs.parity.caso.analysis.max.pairz=1, expected a key listed");
    conf.unset("dfs.parity.caso.analysis.max.pairz");
    conf.set("dfs.parity.caso.analysis.max.pairs", "0");
    assertThat(run("-compare", trace, "-k", "4", "-m", "2")).isEqualTo(-1);
    assertThat(err())
        .contains("dfs.parity.caso.analysis.max.pairs=0, expected a whole number: 1..");
    conf.set("dfs.parity.caso.analysis.max.pairs", "14");
    assertThat(run("-compare", trace, "-k", "4", "-m", "2", "-ratio", "1")).isEqualTo(-1);
    assertThat(err()).contains("pairs=15, expected at most maxPairs=14");
  }

  @Test
  void spillingChangesNothing() throws IOException {
    String trace = trace(patterns(60)).toString();
    JsonNode inMemory = json("-compare", trace, "-k", "3", "-m", "2");
    conf.set("dfs.parity.caso.analysis.counts.in.memory", "2");
    conf.set("dfs.parity.caso.analysis.spill.dir", folder.resolve("spill").toString());
    JsonNode spilled = json("-compare", trace, "-k", "3", "-m", "2");
    assertThat(spilled.path("organizations")).isEqualTo(inMemory.path("organizations"));
    assertThat(spilled.path("analysed")).isEqualTo(inMemory.path("analysed"));
    assertThat(folder.resolve("spill")).isEmptyDirectory();
  }

  @Test
  void analyzesSavesAndShows() throws IOException {
    String trace = trace(patterns(60)).toString();
    Path saved = folder.resolve("o.caso");
    JsonNode d = json("-analyze", trace, "-k", "3", "-m", "2", "-out", saved.toString());
    assertThat(d.at("/analysed/windows").asInt()).isEqualTo(60);
    assertThat(d.path("organizedStripes").asInt()).isGreaterThanOrEqualTo(5);
    assertThat(d.path("stripes").get(0).path("cells")).hasSize(3);
    assertThat(d.at("/saved/lengthBytes").asLong()).isEqualTo((5000 + 36 + 1) * 4096L);
    LayoutIndex index = LayoutFiles.read(saved);
    long stripe = index.order().storedCell(4) / 3;
    assertThat(index.order().storedCell(1028) / 3).isEqualTo(stripe);
    assertThat(index.order().storedCell(5036) / 3).isEqualTo(stripe);
    JsonNode s = json("-show", saved.toString(), "-at", "16390");
    assertThat(s.path("cells").asInt()).isEqualTo(5037);
    assertThat(s.path("origin").asText()).contains("t.csv");
    assertThat(s.at("/at/cell").asInt()).isEqualTo(4);
    assertThat(s.at("/at/storedOffset").asLong()).isEqualTo(index.order().storedCell(4) * 4096 + 6);
    assertThat(run("-show", saved.toString(), "-at", "16390")).isZero();
    assertThat(out()).contains("sound").contains("no file yet").contains("Offset 16390");
    assertThat(run("-analyze", trace, "-k", "3", "-m", "2", "-out", saved.toString()))
        .isEqualTo(-1);
    assertThat(err()).contains("expected none of that name");
    assertThat(run("-show", saved.toString(), "-at", "20631552")).isEqualTo(-1);
    assertThat(err()).contains("expected 0 to below 20631552");
    byte[] bytes = Files.readAllBytes(saved);
    bytes[bytes.length - 7]++;
    Files.write(saved, bytes);
    assertThat(run("-show", saved.toString())).isEqualTo(-1);
    assertThat(err()).contains("crc32c").contains(saved.toString());
    assertThat(run("-show", trace)).isEqualTo(-1);
    assertThat(err()).contains("magic=").contains(trace);
  }

  @Test
  void aPlaceThatCannotBeWrittenIsToldBeforeTheWork() throws IOException {
    // No trace is read: there is none.
    String trace = folder.resolve("none.csv").toString();
    Path file = Files.writeString(folder.resolve("file"), "x");
    for (Path place : List.of(folder.resolve("none/o"), file.resolve("o"))) {
      assertThat(run("-analyze", trace, "-k", "3", "-m", "2", "-out", place.toString()))
          .isEqualTo(-1);
      assertThat(err()).contains("file=" + place + ", expected in a directory that exists");
      assertThat(run("-compare", trace, "-k", "3", "-m", "2", "-plot", place.toString()))
          .isEqualTo(-1);
      assertThat(err()).contains("file=" + place + ", expected in a directory that exists");
    }
  }

  /** Names of 255 characters are the longest that file systems take. */
  @Test
  void whatWasFoundIsSaidAlsoWhereItCannotBeSaved() throws IOException {
    String trace = trace(patterns(60)).toString();
    String place = folder.resolve("o".repeat(300)).toString();
    assertThat(run("-analyze", trace, "-k", "3", "-m", "2", "-out", place, "-json")).isEqualTo(-1);
    assertThat(new ObjectMapper().readTree(out.toByteArray()).at("/analysed/windows").asInt())
        .isEqualTo(60);
    assertThat(err()).startsWith("analyze: ").contains("o".repeat(300));
    assertThat(run("-compare", trace, "-k", "3", "-m", "2", "-plot", place)).isEqualTo(-1);
    assertThat(out()).contains("180 writes, 6 reads");
    assertThat(err()).startsWith("compare: ").contains("o".repeat(300));
  }

  @Test
  void aTraceThatSaysNothingThatLastsKeepsTheOrderOfAddresses() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int window = 0; window < 100; window++) {
      text.append(window * 10_000L).append(",h,0,Write,").append(4096L * 4 * window);
      text.append(",16384,0\n");
    }
    String trace = trace(text.toString()).toString();
    Path saved = folder.resolve("o.caso");
    assertThat(
            run("-analyze", trace, "-k", "4", "-m", "2", "-out", saved.toString(), "-length", "9k"))
        .isZero();
    assertThat(out())
        .contains("Default: sequential")
        .contains("estimated saving of parity updates: 0.0 %")
        .contains("for a file of 9,216 bytes, 1 runs");
  }

  @Test
  void filesOfAnAuditLogAreOrganized() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int second = 0; second < 40; second++) {
      for (String file : List.of("/idx", "/log", "/meta")) {
        text.append(String.format("2026-11-21 10:00:%02d,%03d", second, 10));
        text.append(
            " INFO FSNamesystem.audit: allowed=true\tugi=a (auth:SIMPLE)\tip=/1.2.3.4\tcmd=");
        text.append(second == 0 ? "create" : "append").append("\tsrc=").append(file);
        text.append(second % 2).append("\tdst=null\tperm=null\tproto=rpc\n");
      }
    }
    String trace = trace(text.toString()).toString();
    JsonNode d = json("-analyze", trace, "-k", "2", "-m", "1", "-format", "audit");
    assertThat(d.at("/trace/files").asInt()).isEqualTo(6);
    assertThat(d.at("/analysed/windows").asInt()).isEqualTo(40);
    assertThat(d.at("/analysed/correlatedPairs").asInt()).isEqualTo(6);
    assertThat(run("-analyze", trace, "-k", "2", "-m", "1", "-format", "audit", "-out", "never"))
        .isEqualTo(-1);
    assertThat(err()).contains("-out, expected with a block trace only");
  }

  @Test
  void generatesTracesThatItReads() throws IOException {
    Path file = folder.resolve("g.csv.gz");
    assertThat(run("-generate", "wdev_1", file.toString(), "-seed", "3")).isZero();
    assertThat(out()).contains("1,055 requests as wdev_1");
    JsonNode d = json("-compare", file.toString(), "-k", "4", "-m", "2", "-strict");
    assertThat(d.at("/trace/writes").asInt()).isEqualTo(1055);
    assertThat(d.at("/trace/ignoredLines").asInt()).isEqualTo(1);
    assertThat(run("-generate", "wdev_1", file.toString())).isEqualTo(-1);
    assertThat(err()).contains("expected none of that name");
    assertThat(run("-generate", "wdev_1", file + "x", "-volume", "17G")).isEqualTo(-1);
    assertThat(err()).contains("-volume=17G, expected 4K to 16G");
    assertThat(run("-generate", "wdev_9", file + "x")).isEqualTo(-1);
    assertThat(err()).contains("workload=wdev_9, expected one of wdev_1, wdev_2");
  }

  @Test
  void helpNamesAllCommands() {
    assertThat(run("-help")).isZero();
    assertThat(out()).contains("-compare", "-analyze", "-show", "-generate", "(1ms; 1s for an");
    assertThat(run()).isEqualTo(-1);
    assertThat(run("-help", "compare")).isZero();
    assertThat(out()).contains("(0.5)").doesNotContain("-show");
  }
}
