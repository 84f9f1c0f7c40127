/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.adoption.AdoptableFile;
import io.hdfsparity.raidp.adoption.Adoption;
import io.hdfsparity.raidp.adoption.AdoptionCluster;
import io.hdfsparity.raidp.adoption.AdoptionGoal;
import io.hdfsparity.raidp.adoption.AdoptionLimits;
import io.hdfsparity.raidp.adoption.FileSource;
import io.hdfsparity.raidp.wire.message.AdoptRequest;
import io.hdfsparity.raidp.wire.message.AdoptRequest.Action;
import io.hdfsparity.raidp.wire.message.AdoptRequest.Goal;
import io.hdfsparity.raidp.wire.message.ProtectRequest;
import io.hdfsparity.raidp.wire.message.ProtectRequest.Change;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks.Mark;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks.Marked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Marks, paths and runs, on marks in memory. */
class ProtectionCallsTest {
  private final Map<String, Mark> marks = new TreeMap<>();
  private final Adoptions adoptions = new Adoptions();
  private final List<Integer> replications = new ArrayList<>();
  private long left;
  private boolean over;
  private int made;

  private ProtectionCalls calls() {
    return new ProtectionCalls(
        new ProtectionCalls.Marks() {
          @Override
          public void set(String path, Mark mark) {
            marks.put(path, mark);
          }

          @Override
          public void clear(String path) {
            marks.remove(path);
          }

          @Override
          public int clearAll() {
            int cleared = marks.size();
            marks.clear();
            return cleared;
          }

          @Override
          public Optional<Marked> of(String path) {
            for (String at = path; !at.isEmpty(); at = at.substring(0, at.lastIndexOf('/'))) {
              if (marks.containsKey(at)) {
                return Optional.of(new Marked(at, marks.get(at)));
              }
            }
            return Optional.empty();
          }
        },
        adoptions,
        new ProtectionCalls.Runs() {
          @Override
          public Adoptions.Maker of(String path, AdoptionGoal goal, long rate) {
            return () -> adoption();
          }

          @Override
          public Adoptions.Maker release(String path, int replication, long rate) {
            replications.add(replication);
            return () -> adoption();
          }
        },
        new ProtectionCalls.Limits(1 << 20, 2, 512),
        () -> new CoverageLeft(left, 0, 0, true));
  }

  private Adoption adoption() {
    made++;
    FileSource source =
        new FileSource() {
          @Override
          public List<AdoptableFile> next(int maxBlocks) {
            return List.of();
          }

          @Override
          public boolean isOver() {
            return over;
          }

          @Override
          public Totals count() {
            return Totals.UNKNOWN;
          }

          @Override
          public Optional<AdoptableFile> look(long inodeId) {
            return Optional.empty();
          }
        };
    AdoptionCluster none =
        (AdoptionCluster)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {AdoptionCluster.class},
                (p, method, args) -> {
                  throw new AssertionError(method);
                });
    return new Adoption(source, none, AdoptionGoal.ADOPT, AdoptionLimits.of(0), 1 << 20);
  }

  private static AdoptRequest request(String path, Goal goal, Action action) {
    return new AdoptRequest(path, goal, action, OptionalInt.empty(), OptionalLong.empty());
  }

  private String adopt(Goal goal, Action action) throws IOException {
    return calls().adopt(request("/a", goal, action)).json();
  }

  @Test
  void unprotectMarksAsPlainOnlyBelowAProtectedDirectory() throws IOException {
    ProtectionCalls calls = calls();
    calls.protect(new ProtectRequest("/a/", Change.PROTECT));
    assertThat(marks).containsExactly(Map.entry("/a", Mark.PROTECTED));
    calls.protect(new ProtectRequest("/a/b", Change.PROTECT));
    assertThat(calls.protect(new ProtectRequest("/a/b", Change.UNPROTECT)).json())
        .contains("\"mark\":\"PLAIN\"", "\"markedPath\":\"/a/b\"");
    assertThat(marks).containsEntry("/a/b", Mark.PLAIN);
    assertThat(calls.protect(new ProtectRequest("/a", Change.UNPROTECT)).json())
        .contains("\"mark\":\"NONE\"");
    assertThat(marks).containsOnlyKeys("/a/b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "/a/../b",
        "/a//b",
        "/a/./b",
        "/a/.snapshot/s",
        "/.reserved/raw/a",
        "//a"
      })
  void pathsThatAreNoneOfTheNamespaceAreRefused(String path) {
    ProtectionCalls calls = calls();
    assertThatThrownBy(() -> calls.protect(new ProtectRequest(path, Change.PROTECT)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected an absolute path");
    assertThatThrownBy(() -> calls.adopt(request(path, Goal.SURVEY, Action.START)))
        .hasMessageContaining("expected an absolute path");
    assertThat(marks).isEmpty();
  }

  @Test
  void aLongPathIsRefusedInAShortMessage() {
    String path = "/a".repeat(5_000);
    assertThatThrownBy(() -> calls().protect(new ProtectRequest(path, Change.PROTECT)))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500));
  }

  @Test
  void onlyWhatIsProtectedIsAdopted() {
    assertThatThrownBy(() -> adopt(Goal.ADOPT, Action.START))
        .hasMessageContaining("expected a protected path; first run hdfs raidp -protect");
    assertThat(made).isZero();
  }

  @Test
  void aSecondCommandJoinsTheRunAndOneThatIsGoneIsSaid() throws IOException {
    marks.put("/a", Mark.PROTECTED);
    assertThat(adopt(Goal.ADOPT, Action.WATCH)).contains("\"state\":\"GONE\"");
    assertThat(adopt(Goal.ADOPT, Action.START))
        .contains("\"joined\":false", "\"state\":\"RUNNING\"");
    assertThat(adopt(Goal.ADOPT, Action.START)).contains("\"joined\":true");
    assertThat(adopt(Goal.SURVEY, Action.START)).contains("\"joined\":false");
    assertThat(made).isEqualTo(2);
    adoptions.forgetAll();
    assertThat(adopt(Goal.ADOPT, Action.WATCH)).contains("\"state\":\"GONE\"");
    adopt(Goal.ADOPT, Action.START);
    over = true;
    adoptions.round(1);
    assertThat(adopt(Goal.ADOPT, Action.WATCH)).contains("\"state\":\"DONE\"");
    assertThat(adopt(Goal.ADOPT, Action.START)).contains("\"joined\":false");
    adoptions.round(2);
    adoptions.round(2 + 11 * 60_000);
    assertThat(adopt(Goal.ADOPT, Action.WATCH)).contains("\"state\":\"GONE\"");
  }

  @Test
  void fewRunAtOnce() throws IOException {
    ProtectionCalls calls = calls();
    for (int i = 0; i < 8; i++) {
      calls.adopt(request("/a" + i, Goal.SURVEY, Action.START));
    }
    assertThatThrownBy(() -> calls.adopt(request("/b", Goal.SURVEY, Action.START)))
        .hasMessageContaining("runs=8");
    assertThat(calls.adopt(request("/a3", Goal.SURVEY, Action.START)).json())
        .contains("\"joined\":true");
  }

  @Test
  void whatIsProtectedIsNotReleased() throws IOException {
    marks.put("/a", Mark.PROTECTED);
    assertThatThrownBy(() -> adopt(Goal.RELEASE, Action.START))
        .hasMessageContaining("expected a path that is not protected");
    marks.put("/a", Mark.PLAIN);
    assertThat(adopt(Goal.RELEASE, Action.START)).contains("\"goal\":\"RELEASE\"");
    assertThat(replications).as("dfs.replication is 2 here").containsExactly(3);
  }

  @Test
  void withoutParityThreeReplicasAreTheLeast() throws IOException {
    ProtectionCalls calls = calls();
    for (int refused : new int[] {0, 2, 513, -1}) {
      AdoptRequest request =
          new AdoptRequest(
              "/a", Goal.RELEASE, Action.START, OptionalInt.of(refused), OptionalLong.empty());
      assertThatThrownBy(() -> calls.adopt(request))
          .hasMessageContaining("replication=" + refused + ", expected 3 to 512");
    }
    assertThat(made).isZero();
  }

  @Test
  void allMarksAreClearedAndItIsSaidWhatIsCovered() throws IOException {
    marks.put("/", Mark.PROTECTED);
    marks.put("/a/b", Mark.PROTECTED);
    ProtectionCalls calls = calls();
    left = 4;
    assertThat(calls.protect(new ProtectRequest("/", Change.UNPROTECT_ALL)).json())
        .contains("\"cleared\":2", "\"mark\":\"NONE\"", "\"none\":false", "\"blocks\":4");
    assertThat(marks).isEmpty();
    left = 0;
    assertThat(adopt(Goal.RELEASE, Action.START)).contains("\"none\":true");
  }
}
