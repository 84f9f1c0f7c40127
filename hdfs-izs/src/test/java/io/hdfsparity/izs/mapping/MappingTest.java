/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.izs.history.HistoryView;
import io.hdfsparity.izs.mapping.Advice.Verdict;
import io.hdfsparity.izs.mapping.StorageForm.Coded;
import io.hdfsparity.izs.mapping.StorageForm.Replicated;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MappingTest {
  private static final long DAY_MS = 86_400_000;

  /** A period of six hours, since the epoch. */
  private static final long NEWEST = 80_000;

  private static final String HEAD =
      "mapping 1\nclass low-value tolerates 0\nclass dear tolerates 2\nfrequency hot from 10\nfrequency cold from 0\n";
  private static final String RULES =
      "rule low-value any one -> replication 1\nrule dear hot three -> replication 3\nrule dear any code -> ec RS-6-3-1024k\n";

  private static String papers() throws Exception {
    try (InputStream in = MappingTest.class.getResourceAsStream("default.conf")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static MappingTable paper() throws Exception {
    return MappingParser.parse("paper", papers());
  }

  @Test
  void theSampleIsTheTableThatIsBuiltIn() throws Exception {
    assertThat(Files.readString(Path.of("../conf/izs-mapping.conf"))).isEqualTo(papers());
  }

  /** Table 2. */
  @ParameterizedTest
  @CsvSource({
    "not-important, 0, 'RS(k,k)'",
    "not-important, 1000, 'RS(k,k)'",
    "important, 0, 'RS(k+1,k)'",
    "important, 99.9, 'RS(k+1,k)'",
    "important, 100, Mirroring",
    "very-important, 9.9, 'RS(k+2,k)'",
    "very-important, 10, 'Mirroring+RS(k+1,k)'",
    "very-important, 100, Mirroring+Mirroring"
  })
  void thePapersTable(String importance, double perDay, String scheme) throws Exception {
    MappingTable table = paper();
    assertThat(
            table
                .rule(table.importance(importance).orElseThrow(), table.frequency(perDay))
                .scheme())
        .isEqualTo(scheme);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "window 7d | 1 | first word=window, expected mapping 1",
        "mapping 2 | 1 | version=2",
        "@dance | 9 | word=dance",
        "@window 7 | 9 | duration=7",
        "@window 7d;window 8d | 10 | one such line; the first is line 9",
        "@settle 8d | 9 | settle=691200000ms, expected at most window",
        "@class dear tolerates 1 | 9 | class=dear, expected a name of its own",
        "@frequency warm from 5 | 9 | highest first",
        "@default nobody | 9 | class=nobody",
        "@rule dear hot x -> replication 2 | 9 | tolerates 2 failures, as class dear says; it tolerates 1",
        "@rule dear hot x -> ec RS | 9 | policy=RS",
        "@rule dear hot x -> paper | 9 | form=paper",
        "@rule dear tepid x -> replication 3 | 9 | frequency=tepid",
        "@rule dear cold x -> replication 3 | 9 | the rules above it leave something to"
      })
  void errorsNameLineAndRule(String text, int line, String message) {
    String whole = text.startsWith("@") ? HEAD + RULES + text.substring(1) : text;
    assertThatThrownBy(() -> MappingParser.parse("t.conf", whole.replace(";", "\n")))
        .isInstanceOf(MappingException.class)
        .hasMessageStartingWith("Cannot read the mapping: ")
        .hasMessageContaining(message)
        .hasMessageEndingWith("file=t.conf line=" + line);
  }

  @Test
  void aPairWithoutARuleIsRefused() {
    assertThatThrownBy(
            () -> MappingParser.parse("t", HEAD + "rule low-value any one -> replication 1\n"))
        .hasMessageContaining("one for dear hot");
  }

  @Test
  void rawBytesAreThoseOfHdfs() {
    Random random = new Random(1);
    Coded code = Coded.ofPolicy("IZS-4-2-16k").orElseThrow();
    long block = 4 * 16 * 1024;
    for (int i = 0; i < 2000; i++) {
      long length = random.nextInt(2_000_000);
      long expected = 0;
      for (long left = length; left > 0; left -= Math.min(left, 4 * block)) {
        expected +=
            StripedBlockUtil.spaceConsumedByStripedBlock(
                Math.min(left, 4 * block), 4, 2, 16 * 1024);
      }
      assertThat(code.rawBytes(length, block)).as("%d", length).isEqualTo(expected);
    }
  }

  private static FileFacts file(StorageForm form, String importance) {
    return new FileFacts(
        "/f",
        1,
        8 << 20,
        128 << 20,
        30 * DAY_MS,
        form,
        Optional.ofNullable(importance),
        Optional.of("/"));
  }

  @ParameterizedTest
  @CsvSource({
    "replication 3, very-important, 700, 0, KEEP",
    "replication 2, very-important, 700, 0, SET_REPLICATION",
    "replication 3, very-important, 7, 0, REWRITE",
    "ec IZS-4-1-1024k, very-important, 7, 0, SET_LEVEL",
    "ec IZS-4-2-1024k, important, 7, 0, SET_LEVEL",
    "ec RS-4-2-1024k, very-important, 7, 0, REWRITE",
    "ec IZS-4-2-1024k, very-important, 7, 60, KEEP",
    "ec IZS-4-2-1024k, very-important, 7, 70, UNDECIDED",
    "replication 3, very-important, 100, 100000, KEEP",
    "replication 3, very-important, 20, 100000, UNDECIDED",
    "replication 1, not-important, 0, 100000, KEEP",
    "replication 3, , 0, 0, UNDECIDED",
    "replication 3, dear, 0, 0, INVALID_IMPORTANCE"
  })
  void advice(String form, String importance, long accesses, long missed, Verdict verdict)
      throws Exception {
    StorageForm is =
        form.startsWith("ec ")
            ? Coded.ofPolicy(form.substring(3)).orElseThrow()
            : new Replicated(Integer.parseInt(form.substring("replication ".length())));
    Advice advice =
        new Advisor(paper())
            .advise(file(is, importance), new AccessRate(accesses, missed, 7 * DAY_MS));
    assertThat(advice.verdict()).as(advice.why()).isEqualTo(verdict);
  }

  @Test
  void whatWasHardlyWatchedIsNotKnownUnlessItDoesNotMatter() throws Exception {
    Advisor advisor = new Advisor(paper());
    AccessRate hour = new AccessRate(50, 0, DAY_MS / 24);
    assertThat(advisor.advise(file(new Replicated(3), "important"), hour).verdict())
        .isEqualTo(Verdict.UNDECIDED);
    assertThat(advisor.advise(file(new Replicated(1), "not-important"), hour).verdict())
        .isEqualTo(Verdict.KEEP);
    assertThat(
            advisor
                .advise(file(new Replicated(1), "not-important"), new AccessRate(0, 0, 0))
                .verdict())
        .isEqualTo(Verdict.KEEP);
  }

  /** Periods of six hours, the last one two hours old; ten accesses in each. */
  private static HistoryView evenly(int periods) {
    int sixHours = (int) (DAY_MS / 4);
    List<Integer> observed = new ArrayList<>(Collections.nCopies(periods, sixHours));
    observed.set(periods - 1, sixHours / 3);
    return new HistoryView(
        sixHours,
        NEWEST,
        observed,
        Collections.nCopies(periods, 1),
        Map.of("/f", Collections.nCopies(periods, 10)));
  }

  /** When a period began that is so many before the newest. */
  private static long beganMs(int before) {
    return (NEWEST - before) * DAY_MS / 4;
  }

  @Test
  void accessesBeforeAFileWasWrittenAreNoneOfIt() {
    HistoryView view = evenly(28);
    AccessRate old = AccessRate.of(view, "/f", 7 * DAY_MS, 0);
    assertThat(old).isEqualTo(new AccessRate(280, 28, 27 * DAY_MS / 4 + DAY_MS / 12));
    assertThat(old.perDay()).isBetween(40.0, 42.0);
    // As it was read before it was appended, and after.
    AccessRate appended = AccessRate.of(view, "/f", 7 * DAY_MS, beganMs(4) - 1);
    assertThat(appended.perDay()).isBetween(40.0, 48.0);
    // What was counted in the period in which it was appended may be of before or after.
    assertThat(appended).isEqualTo(new AccessRate(50, 5 + 11, DAY_MS + DAY_MS / 12));
    assertThat(AccessRate.of(view, "/f", 7 * DAY_MS, beganMs(4)))
        .isEqualTo(new AccessRate(50, 5, DAY_MS + DAY_MS / 12));
    assertThat(AccessRate.of(view, "/f", 7 * DAY_MS, beganMs(0) + 1))
        .isEqualTo(new AccessRate(0, 11, 0));
    assertThat(AccessRate.of(view, "/f", 7 * DAY_MS, beganMs(-1)))
        .isEqualTo(new AccessRate(0, 0, 0));
  }

  /** No history keeps it, so that it has no counts says nothing. */
  @Test
  void ofAPathThatIsTooLongNothingIsKnown() {
    String path = "/" + "x".repeat(70_000);
    AccessRate rate = AccessRate.of(evenly(28), path, 7 * DAY_MS, 0);
    assertThat(rate.perDay()).isZero();
    assertThat(rate.perDayAtMost()).isGreaterThan(1e6);
  }

  @Test
  void aWindowIsWholePeriods() {
    // Eight hours are two periods: both the accesses and the time are theirs.
    assertThat(AccessRate.of(evenly(28), "/f", DAY_MS / 3, 0))
        .isEqualTo(new AccessRate(20, 2, DAY_MS / 4 + DAY_MS / 12));
    assertThat(AccessRate.of(evenly(4), "/f", 7 * DAY_MS, 0).accesses()).isEqualTo(40);
    assertThatThrownBy(() -> AccessRate.of(evenly(28), "/f", DAY_MS / 24, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("windowMs=3600000")
        .hasMessageContaining("dfs.parity.izs.access.period");
  }

  @Test
  void bytesSavedAreTold() throws Exception {
    Advice advice =
        new Advisor(paper())
            .advise(file(new Replicated(3), "very-important"), new AccessRate(7, 0, 7 * DAY_MS));
    assertThat(advice.rawBytesNow()).isEqualTo(24 << 20);
    assertThat(advice.deltaBytes()).isEqualTo(-12 << 20);
    assertThat(advice.why())
        .isEqualTo("very-important, low access frequency (1.0 a day): RS(k+2,k)");
  }
}
