/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.ByteRequest;
import io.hdfsparity.core.trace.MsrFormat;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.channel.ClientLimits;
import io.hdfsparity.ecupdate.storage.FileCluster;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.TestSession;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands on a file of engines behind sockets; the session is the test's. */
@Timeout(600)
class EcUpdateAdminTest {
  private static final String FILE = "/a/file";

  @TempDir Path folder;

  private final Random random = new Random(3);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final ChannelClient calls =
      new ChannelClient(
          new ClientLimits(16384, 16, 1000, 5_000, 5_000, 60_000, 2, 20), node -> Bytes.zeros(1));
  private byte[] in = new byte[0];
  private FileCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = new FileCluster("PLR", random);
  }

  @AfterEach
  void stop() throws IOException {
    calls.close();
    cluster.close();
  }

  private int run(String... arguments) {
    out.reset();
    err.reset();
    return new EcUpdateAdmin(
            new Configuration(false),
            new ByteArrayInputStream(in),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            (conf, path, options) -> {
              if (!path.toString().equals(FILE)) {
                throw new IOException("Cannot open: path=" + path + ", expected " + FILE);
              }
              return StripedFileUpdater.open(new TestSession(cluster), calls, options);
            })
        .run(arguments);
  }

  private JsonNode json(int code, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("-json");
    assertThat(run(all.toArray(String[]::new))).as("%s", err).isEqualTo(code);
    return new ObjectMapper().readTree(out.toByteArray());
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private byte[] some(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  // ---- -write and -read ----

  @Test
  void writesAFileOverAndReadsItBack() throws Exception {
    byte[] twin = cluster.initial();
    byte[] bytes = some(500);
    Path from = Files.write(folder.resolve("from"), bytes);
    System.arraycopy(bytes, 0, twin, 100, bytes.length);
    assertThat(run("-write", FILE, "-offset", "100", "-from", from.toString())).isZero();
    assertThat(out()).isEqualTo("500 bytes written at offset 100 of /a/file\n");
    assertThat(cluster.content()).isEqualTo(twin);

    assertThat(run("-read", FILE, "-offset", "90", "-length", "520")).isZero();
    assertThat(out.toByteArray()).isEqualTo(Arrays.copyOfRange(twin, 90, 610));
    Path to = folder.resolve("to");
    assertThat(run("-read", FILE, "-offset", "0", "-length", "1126", "-to", to.toString()))
        .isZero();
    assertThat(Files.readAllBytes(to)).isEqualTo(twin);
    assertThat(out()).isEqualTo("1,126 bytes of /a/file from offset 0 are in " + to + "\n");
    // Never over a file that is there.
    assertThat(run("-read", FILE, "-offset", "0", "-length", "1", "-to", to.toString()))
        .isEqualTo(-1);
    assertThat(err()).contains("expected none of that name");
  }

  @Test
  void writesStandardInput() throws Exception {
    byte[] twin = cluster.initial();
    in = some(64);
    System.arraycopy(in, 0, twin, 1024, in.length);
    assertThat(run("-write", FILE, "-offset", "1K")).isZero();
    assertThat(cluster.content()).isEqualTo(twin);
    in = new byte[0];
    assertThat(run("-write", FILE, "-offset", "0")).isZero();
    assertThat(out()).startsWith("0 bytes written");
    assertThat(cluster.content()).isEqualTo(twin);
  }

  @Test
  void whatReachesOverTheEndIsRefusedBeforeItIsWritten() throws Exception {
    Path from = Files.write(folder.resolve("from"), some(100));
    assertThat(run("-write", FILE, "-offset", "1027", "-from", from.toString())).isEqualTo(-1);
    assertThat(err())
        .isEqualTo(
            "write: Cannot write in place: offset=1027, bytes=100, expected a range inside the"
                + " file, length=1126\n");
    in = some(2);
    assertThat(run("-write", FILE, "-offset", "1125")).isEqualTo(-1);
    assertThat(err()).contains("length=1126");
    assertThat(run("-read", FILE, "-offset", "1125", "-length", "2")).isEqualTo(-1);
    assertThat(err()).contains("length=1126");
    assertThat(cluster.content()).isEqualTo(cluster.initial());
  }

  @ParameterizedTest
  @CsvSource({
    "-write /a/file, -offset is missing",
    "-write, path is missing",
    "-write /a/file -offset -1, '-offset=-1, expected bytes such as'",
    "-write /a/file -offset 1 -form x, unknown argument -form",
    "-write /a/file -offset, -offset needs a value",
    "-write /a/file -offset 1 -offset 2, -offset is given twice",
    "-read /a/file -offset 0, -length is missing",
    "-read /a/file -offset 0 -length 1 -json, -json needs -to",
    "-read /a/file -offset 0 -length x, '-length=x, expected bytes such as'",
    "-replay none /a/file, 'trace=none, expected a local file'",
    "-replay pom.xml /a/file -concurrency 0, '-concurrency=0, expected 1 to 4096'",
    "-replay pom.xml /a/file -timed 0, '-timed=0, expected above 0'",
    "-replay pom.xml /a/file -beyond here, '-beyond=here, expected wrap or refuse'",
    "-replay pom.xml /a/file -limit many, '-limit=many, expected a whole number'",
    "-replay pom.xml /a/file -cache 100, cacheBytes=100",
    "-recover /a/file -pause 5, '-pause=5, expected a time such as'",
    "-recover /a/file -pause 0s, '-pause=0s, expected above 0'",
    "-verify /a/file -list -1, '-list=-1, expected 0 to'",
    "-verify /a/file /b, unknown argument /b",
  })
  void wrongArgumentsAreRefusedByNameAndValue(String line, String message) {
    assertThat(run(line.split(" "))).isEqualTo(-1);
    assertThat(err()).contains(message).contains("Usage: hdfs ecupdate [" + line.split(" ")[0]);
    assertThat(out()).isEmpty();
  }

  @Test
  void helpNamesEveryCommand() {
    assertThat(run("-help")).isZero();
    assertThat(out())
        .contains(
            "[-write <path> -offset N [-from FILE] [-json]]", "-replay", "-recover", "-verify");
    assertThat(run("-help", "replay")).isZero();
    assertThat(out()).contains("OVERWRITES THE FILE").doesNotContain("-recover <path>");
    assertThat(run("-frobnicate")).isEqualTo(-1);
    assertThat(err()).startsWith("frobnicate: Unknown command");
  }

  @Test
  void aFileThatCannotBeOpenedIsOneLine() {
    assertThat(run("-verify", "/b")).isEqualTo(-1);
    assertThat(err()).isEqualTo("verify: Cannot open: path=/b, expected /a/file\n");
  }

  // ---- -verify and -recover ----

  @Test
  void verifyTellsWhereParityIsWrong() throws Exception {
    assertThat(run("-verify", FILE)).isZero();
    assertThat(out())
        .isEqualTo(
            "/a/file: 7 stripes looked at, 0 mismatches, 0 unfinished, 0 unreadable, 0 busy\n");
    cluster.damage(0, 4, 70);
    cluster.damage(1, 0, 0);
    assertThat(run("-verify", FILE)).isEqualTo(-1);
    assertThat(out())
        .isEqualTo(
            "mismatch: group 0, stripe 1, file offset 192, units [4]: all others fit together"
                + " without unit 4\n"
                + "mismatch: group 1, stripe 0, file offset 576, units [3,4]: all others fit"
                + " together without unit 0\n"
                + "/a/file: 7 stripes looked at, 2 mismatches, 0 unfinished, 0 unreadable, 0"
                + " busy\n");
    ObjectNode doc = (ObjectNode) json(-1, "-verify", FILE, "-list", "1");
    assertThat(doc.remove("elapsedMs").asLong()).isNotNegative();
    assertThat(doc.toString())
        .isEqualTo(
            "{\"path\":\"/a/file\",\"stripes\":7,\"bytes\":1126,\"mismatch\":2,\"unfinished\":0,"
                + "\"unreadable\":0,\"busy\":0,\"right\":false,\"findings\":[{\"kind\":\"mismatch\","
                + "\"group\":0,\"stripe\":1,\"offset\":192,\"units\":[4],\"detail\":\"all others"
                + " fit together without unit 4\"}]}");
  }

  @Test
  void recoversWhatIsLost() throws Exception {
    cluster.kill(2);
    cluster.restartEmpty(2, random);
    JsonNode before = json(-1, "-verify", FILE, "-wait", "100ms");
    assertThat(before.path("unreadable").asInt()).isPositive();
    ObjectNode doc = (ObjectNode) json(0, "-recover", FILE, "-pause", "5ms");
    doc.remove("elapsedMs");
    assertThat(doc.toString())
        .isEqualTo("{\"path\":\"/a/file\",\"bytes\":1126,\"sessionsSettled\":0,\"groupsInUse\":0}");
    assertThat(json(0, "-verify", FILE).path("right").asBoolean()).isTrue();
    assertThat(cluster.content()).isEqualTo(cluster.initial());
  }

  // ---- -replay ----

  private Path trace(List<String> lines) throws IOException {
    return Files.write(folder.resolve("trace.csv"), lines);
  }

  private List<String> requests(int count, int beyond) {
    List<String> lines = new ArrayList<>(List.of(MsrFormat.HEADING));
    for (int i = 0; i < count; i++) {
      Access access = random.nextInt(3) == 0 ? Access.READ : Access.WRITE;
      int offset = random.nextInt(1126 + beyond);
      int size = 1 + random.nextInt(beyond > 0 ? 200 : Math.min(200, 1126 - offset));
      lines.add(new ByteRequest(1000L + i, access, offset, size).line());
    }
    return lines;
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "16, 0", "16, 400"})
  void replaysATraceAndReadsBackWhatItWrote(String concurrency, String cache) throws Exception {
    List<String> lines = requests(120, 0);
    Path trace = trace(lines);
    JsonNode doc =
        json(
            0,
            "-replay",
            trace.toString(),
            FILE,
            "-concurrency",
            concurrency,
            "-cache",
            cache,
            "-verify",
            "-beyond",
            "refuse");
    long writes = lines.stream().filter(line -> line.contains("Write")).count();
    assertThat(doc.path("writes").path("requests").asLong()).isEqualTo(writes);
    assertThat(doc.path("reads").path("requests").asLong()).isEqualTo(120 - writes);
    assertThat(doc.path("differingBytes").asLong()).isZero();
    assertThat(doc.path("wrapped").asLong()).isZero();
    assertThat(cluster.content()).isNotEqualTo(cluster.initial());
    cluster.verify();
    byte[] once = cluster.content();
    // The same seed, the same bytes; another, others.
    assertThat(run("-replay", trace.toString(), FILE)).isZero();
    assertThat(cluster.content()).isEqualTo(once);
    assertThat(run("-replay", trace.toString(), FILE, "-seed", "2")).isZero();
    assertThat(cluster.content()).isNotEqualTo(once);
  }

  @Test
  void replaysGzipAndCountsBadLinesAndWrapped() throws Exception {
    List<String> lines = requests(40, 5_000);
    lines.add(7, "128166410318060999,wdev,1,Wrote,5,5,0");
    Path packed = folder.resolve("trace.csv.gz");
    try (GZIPOutputStream gzip = new GZIPOutputStream(Files.newOutputStream(packed))) {
      gzip.write(String.join("\n", lines).getBytes(StandardCharsets.US_ASCII));
    }
    JsonNode doc = json(0, "-replay", packed.toString(), FILE, "-verify", "-limit", "30");
    assertThat(err()).contains("Left out: ", "Type=Wrote", "line=8");
    assertThat(doc.path("badLines").asLong()).isEqualTo(1);
    assertThat(doc.path("wrapped").asLong()).isPositive();
    assertThat(
            doc.path("writes").path("requests").asLong()
                + doc.path("reads").path("requests").asLong())
        .isEqualTo(30);
    assertThat(run("-replay", packed.toString(), FILE, "-strict")).isEqualTo(-1);
    assertThat(err()).contains("replay: Cannot read trace: Type=Wrote").contains("line=8");
    assertThat(run("-replay", packed.toString(), FILE, "-beyond", "refuse")).isEqualTo(-1);
    assertThat(err()).contains("expected a range inside the file, length=1126");
    byte[] whole = Files.readAllBytes(packed);
    Files.write(packed, Arrays.copyOf(whole, whole.length / 2));
    assertThat(run("-replay", packed.toString(), FILE)).isEqualTo(-1);
    assertThat(err()).contains("expected a whole file, file=" + packed);
  }

  @Test
  void aTimedReplayTakesTheTimeOfTheTrace() throws Exception {
    Path trace =
        trace(
            List.of(
                new ByteRequest(5_000_000, Access.WRITE, 0, 8).line(),
                new ByteRequest(7_000_000, Access.READ, 0, 8).line(),
                new ByteRequest(9_000_000, Access.WRITE, 8, 8).line()));
    JsonNode timed = json(0, "-replay", "-timed", trace.toString(), FILE);
    assertThat(timed.path("elapsedMs").asLong()).isGreaterThanOrEqualTo(400);
    assertThat(timed.has("late")).isTrue();
    JsonNode faster = json(0, "-replay", trace.toString(), FILE, "-timed", "100");
    assertThat(faster.path("elapsedMs").asLong()).isBetween(4L, 399L);
    assertThat(json(0, "-replay", trace.toString(), FILE).has("late")).isFalse();
  }

  /** Of a trace in another format each line is a bad one; that is no success. */
  @ParameterizedTest
  @CsvSource({"'', 0", "'419,W,5,4096,1581292815000023', 1", "'PK\u0003\u0004', 1"})
  void aTraceOfWhichNothingIsUnderstoodFails(String line, int badLines) throws Exception {
    Path trace = line.isEmpty() ? trace(List.of(MsrFormat.HEADING)) : trace(List.of(line));
    assertThat(run("-replay", trace.toString(), FILE, "-verify")).isEqualTo(-1);
    assertThat(err())
        .contains("replay: Cannot replay: requests=0, bad lines=" + badLines)
        .contains("Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime")
        .contains("trace.csv");
    assertThat(out()).isEmpty();
    assertThat(Files.write(trace, new byte[0])).isEmptyFile();
    assertThat(run("-replay", trace.toString(), FILE)).isEqualTo(-1);
    assertThat(err()).contains("requests=0, bad lines=0");
  }

  @Test
  void aReplayOfReadsAloneHasWrittenNothing() throws Exception {
    Path trace = trace(List.of(new ByteRequest(0, Access.READ, 0, 8).line()));
    assertThat(run("-replay", trace.toString(), FILE, "-verify")).isZero();
    assertThat(out()).contains("Nothing was written.").doesNotContain("All that was written");
  }

  @Test
  void theDocumentOfAReplayHasEveryNumber() throws Exception {
    Path trace = trace(List.of("bad", new ByteRequest(0, Access.WRITE, 5_000, 8).line()));
    JsonNode doc = json(0, "-replay", trace.toString(), FILE, "-verify", "-timed", "2");
    String stats = "{\"requests\":N,\"bytes\":N,\"p50Us\":N,\"p95Us\":N,\"p99Us\":N,\"maxUs\":N}";
    assertThat(doc.toString().replace(trace.toString(), "TRACE").replaceAll(":[0-9.]+", ":N"))
        .isEqualTo(
            "{\"trace\":\"TRACE\",\"path\":\"/a/file\",\"elapsedMs\":N,\"iops\":N,\"reads\":"
                + stats
                + ",\"writes\":"
                + stats
                + ",\"wrapped\":N,\"late\":N,\"differingBytes\":N,\"badLines\":N}");
    assertThat(doc.path("writes").path("bytes").asLong()).isEqualTo(8);
    assertThat(doc.path("wrapped").asLong()).isEqualTo(1);
    assertThat(doc.path("badLines").asLong()).isEqualTo(1);
  }

  @Test
  void theTextOfAReplayHasEveryNumber() throws Exception {
    Path trace = trace(List.of(new ByteRequest(0, Access.WRITE, 0, 8).line()));
    assertThat(run("-replay", trace.toString(), FILE, "-verify")).isZero();
    assertThat(out())
        .matches(
            "(?s)1 requests in [0-9.]+ s: [0-9.,]+ a second; 0 wrapped, 0 bad lines left out\n"
                + " +requests +bytes +p50 ms +p95 ms +p99 ms +max ms\n"
                + "reads +0 +0 +0.000 +0.000 +0.000 +0.000\n"
                + "writes +1 +8( +[0-9.]+){4}\n"
                + "All that was written was read back.\n");
  }

  // ---- -nbd and -create ----

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-nbd | path is missing",
        "-nbd /f -unix s -port 1 | -port is for TCP",
        "-nbd /f -unix s -tls d | -tls is for TCP",
        "-nbd /f -readonly -cache 1M | -readonly refuses",
        "-nbd /f -port 65536 | expected 0 to 65535",
        "-nbd /f -port 0 -host 0.0.0.0 | without TLS a loopback address",
        "-nbd /f -trim | unknown argument -trim",
        "-nbd /f -keytab k | belong together",
        "-nbd /f -principal p | belong together",
        "-nbd /f -principal p -keytab k | hadoop.security.authentication=kerberos",
        "-create /f -size 1000 -policy p | expected a multiple of 512",
        "-create /f -size 0 -policy p | expected a multiple of 512",
        "-create /f -size 1M | -policy is missing",
        "-create /f -policy p | -size is missing",
        "-create /f -size 1M -policy p | is not in HDFS"
      })
  void devicesAreRefusedByName(String command, String message) {
    assertThat(run(command.split(" "))).isEqualTo(-1);
    assertThat(err()).contains(message);
  }
}
