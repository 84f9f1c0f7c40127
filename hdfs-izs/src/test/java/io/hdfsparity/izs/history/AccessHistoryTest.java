/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessHistoryTest {
  private static final long HOUR_MS = 3_600_000;

  private static AccessHistory history(int periods, int entries) {
    return new AccessHistory(new HistoryShape(6 * HOUR_MS, periods, entries));
  }

  private static HistoryItem.Counts count(String path, long period, Integer... counts) {
    return new HistoryItem.Counts(path, period, List.of(counts));
  }

  /** The paper's example: eight periods of six hours, hot on the first day, cold on the second. */
  @Test
  void countsArePerPeriod() {
    AccessHistory history = history(8, 10);
    history.apply(count("/f", 103, 1000, 2000, 1500, 500));
    history.apply(count("/f", 107, 20, 10, 20, 10));
    assertThat(history.view(List.of("/f"), 107).counts())
        .containsEntry("/f", List.of(1000, 2000, 1500, 500, 20, 10, 20, 10));
    assertThat(history.view(List.of("/f"), 109).counts())
        .containsEntry("/f", List.of(1500, 500, 20, 10, 20, 10, 0, 0));
    assertThat(history.view(List.of("/g"), 107).counts()).isEmpty();
  }

  @Test
  void directoriesAreKeyedWithASlash() {
    assertThat(AccessHistory.directoryOf("/a/b")).isEqualTo("/a/");
    assertThat(AccessHistory.directoryOf("/a")).isEqualTo("/");
  }

  @Test
  void renameTakesAllBelowAndNothingBeside() {
    AccessHistory history = history(4, 100);
    for (String path : List.of("/a", "/a/", "/a/x", "/a/x/y", "/a0", "/ab", "/a-", "/b/old")) {
      history.apply(count(path, 1, 1));
    }
    history.apply(new HistoryItem.Rename("/a", "/b"));
    assertThat(paths(history)).containsExactly("/a-", "/a0", "/ab", "/b", "/b/", "/b/x", "/b/x/y");
    history.apply(new HistoryItem.Rename("/b", "/b"));
    history.apply(new HistoryItem.Delete("/b"));
    assertThat(paths(history)).containsExactly("/a-", "/a0", "/ab");
  }

  private static List<String> paths(AccessHistory history) {
    return history.snapshot().stream()
        .filter(HistoryItem.Counts.class::isInstance)
        .map(i -> ((HistoryItem.Counts) i).path())
        .toList();
  }

  @Test
  void theLeastAccessedGoFirstAndItIsTold() {
    AccessHistory history = history(4, 32);
    for (int i = 0; i < 32; i++) {
      history.apply(count("/f" + i, 1, i + 1));
    }
    history.apply(count("/new", 2, 40));
    assertThat(history.entries()).isEqualTo(31);
    assertThat(paths(history)).doesNotContain("/f0", "/f1").contains("/f2", "/new");
    assertThat(history.evictions()).isEqualTo(2);
    assertThat(history.view(List.of(), 2).missed()).containsExactly(0, 0, 0, 2);
    // Long after, what was dropped then does not matter any more.
    assertThat(history.view(List.of(), 6).missed()).containsExactly(0, 0, 0, 0);
  }

  private static long bytes(AccessHistory history) {
    return paths(history).stream()
        .mapToLong(path -> history.shape().entryBytes(path.length()))
        .sum();
  }

  /** A directory can be renamed into ever deeper ones: paths below it grow without an end. */
  @Test
  void renamesToLongerNamesStayWithinTheLimit() {
    AccessHistory history = history(4, 1000);
    for (int i = 0; i < 900; i++) {
      history.apply(count("/d/f" + i, 1, i + 1));
    }
    history.apply(new HistoryItem.Rename("/d", "/" + "x".repeat(500)));
    assertThat(bytes(history)).isEqualTo(history.bytes()).isLessThan(history.shape().maxBytes());
    int dropped = 900 - history.entries();
    assertThat(dropped).isBetween(300, 600);
    assertThat(history.evictions()).isEqualTo(dropped);
    assertThat(paths(history)).contains("/" + "x".repeat(500) + "/f899").doesNotContain("/f0");
    assertThat(history.view(List.of(), 1).missed()).endsWith(dropped);
    String at = "/" + "x".repeat(500);
    for (int depth = 0; depth < 20; depth++) {
      String deeper = "/" + "y".repeat(7000) + at;
      history.apply(new HistoryItem.Rename(at, deeper));
      at = deeper;
      assertThat(bytes(history)).isEqualTo(history.bytes()).isLessThan(history.shape().maxBytes());
    }
    assertThat(history.entries()).isZero();
    assertThat(history.tooLong()).isPositive();
    assertThat(history.bytes()).isZero();
  }

  @Test
  void longPathsHaveToSuitTheLimitTogether() {
    AccessHistory history = history(4, 100);
    for (int i = 0; i < 100; i++) {
      history.apply(count("/" + "x".repeat(2000) + i, 1, i + 1));
      assertThat(bytes(history)).isEqualTo(history.bytes());
      assertThat(history.bytes()).isLessThanOrEqualTo(history.shape().maxBytes());
    }
    assertThat(paths(history)).contains("/" + "x".repeat(2000) + 99).hasSizeBetween(10, 30);
  }

  /** The dumb twin keeps everything in maps. */
  @Test
  void equalsATwinAndItsOwnSnapshot() {
    SeededRuns.of(150)
        .check(
            random -> {
              int periods = 1 + random.nextInt(6);
              AccessHistory history = history(periods, 100_000);
              Map<String, TreeMap<Long, Long>> twin = new TreeMap<>();
              long newest = 0;
              for (int step = 0; step < 120; step++) {
                newest += random.nextInt(10) == 0 ? random.nextInt(3) : 0;
                HistoryItem item = randomItem(random, newest);
                history.apply(item);
                applyToTwin(twin, item);
              }
              AccessHistory again = history(periods, 100_000);
              history.snapshot().forEach(again::apply);
              List<String> asked = new ArrayList<>(twin.keySet());
              asked.add("/never");
              HistoryView view = history.view(asked, newest);
              assertThat(again.view(asked, newest)).isEqualTo(view);
              assertThat(history.bytes()).isEqualTo(again.bytes()).isEqualTo(bytes(history));
              for (String path : asked) {
                List<Integer> expected = new ArrayList<>();
                for (long p = newest - periods + 1; p <= newest; p++) {
                  expected.add(
                      twin.getOrDefault(path, new TreeMap<>()).getOrDefault(p, 0L).intValue());
                }
                assertThat(view.counts().getOrDefault(path, List.of()))
                    .as(path)
                    .satisfiesAnyOf(
                        counts -> assertThat(counts).isEqualTo(expected),
                        counts -> {
                          assertThat(counts).isEmpty();
                          assertThat(expected).containsOnly(0);
                        });
              }
            });
  }

  /** However much is dropped, the truth lies between a count and the count plus what is missed. */
  @ParameterizedTest
  @ValueSource(ints = {0, 300, 20_000})
  void theTruthLiesWithinWhatIsMissed(int moreChars) {
    String suffix = "x".repeat(moreChars);
    SeededRuns.of(100)
        .check(
            random -> {
              AccessHistory history = history(4, 20);
              Map<String, Long> truth = new TreeMap<>();
              for (int step = 0; step < 2000; step++) {
                String path = "/" + (int) Math.abs(random.nextGaussian() * 25) + suffix;
                history.apply(count(path, 3, 1));
                truth.merge(path, 1L, Long::sum);
                assertThat(history.entries()).isLessThanOrEqualTo(20);
              }
              HistoryView view = history.view(List.copyOf(truth.keySet()), 3);
              long missed = view.missed().stream().mapToLong(i -> i).sum();
              truth.forEach(
                  (path, accesses) -> {
                    long counted =
                        view.counts().getOrDefault(path, List.of()).stream()
                            .mapToLong(i -> i)
                            .sum();
                    assertThat(accesses).isBetween(counted, counted + missed);
                  });
            });
  }

  static HistoryItem randomItem(Random random, long newest) {
    String path = "/" + random.nextInt(3) + (random.nextBoolean() ? "/" + random.nextInt(4) : "");
    String other = "/" + (5 + random.nextInt(3));
    return switch (random.nextInt(12)) {
      case 0 -> new HistoryItem.Rename(path, other);
      case 1 -> new HistoryItem.Delete(path);
      case 2 -> new HistoryItem.Watched(newest, random.nextInt(1000), random.nextInt(3));
      default -> count(path, newest - random.nextInt(3), random.nextInt(5), random.nextInt(5));
    };
  }

  private static void applyToTwin(Map<String, TreeMap<Long, Long>> twin, HistoryItem item) {
    if (item instanceof HistoryItem.Counts counts) {
      for (int i = 0; i < counts.counts().size(); i++) {
        long period = counts.newestPeriod() - counts.counts().size() + 1 + i;
        twin.computeIfAbsent(counts.path(), p -> new TreeMap<>())
            .merge(period, (long) counts.counts().get(i), Long::sum);
      }
    } else if (item instanceof HistoryItem.Delete delete) {
      twin.keySet().removeIf(p -> p.equals(delete.path()) || p.startsWith(delete.path() + "/"));
    } else if (item instanceof HistoryItem.Rename rename) {
      Map<String, TreeMap<Long, Long>> moved = new TreeMap<>();
      for (String path : List.copyOf(twin.keySet())) {
        if (path.equals(rename.from()) || path.startsWith(rename.from() + "/")) {
          TreeMap<Long, Long> its = twin.remove(path);
          if (its != null) {
            moved.put(rename.to() + path.substring(rename.from().length()), its);
          }
        }
      }
      applyToTwin(twin, new HistoryItem.Delete(rename.to()));
      twin.putAll(moved);
    }
  }

  @Test
  void twoNameNodesAddUpPeriodByPeriod() {
    HistoryView a =
        new HistoryView(10, 7, List.of(1, 2, 3), List.of(0, 0, 1), Map.of("/f", List.of(5, 6, 7)));
    HistoryView b =
        new HistoryView(
            10,
            6,
            List.of(9, 10, 20),
            List.of(0, 4, 0),
            Map.of("/f", List.of(1, 2, 3), "/g", List.of(1, 1, 1)));
    HistoryView sum =
        new HistoryView(
            10,
            7,
            List.of(11, 22, 3),
            List.of(4, 0, 1),
            Map.of("/f", List.of(7, 9, 7), "/g", List.of(1, 1, 0)));
    assertThat(a.plus(b)).isEqualTo(sum);
    assertThat(b.plus(a)).isEqualTo(sum);
  }
}
