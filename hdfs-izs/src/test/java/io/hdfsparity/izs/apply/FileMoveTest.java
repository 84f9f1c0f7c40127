/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.swap.DecodedException;
import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.Inspection;
import io.hdfsparity.bridge.swap.StoredFile;
import io.hdfsparity.bridge.swap.SwapAnswer;
import io.hdfsparity.bridge.swap.SwapCondition;
import io.hdfsparity.izs.apply.MovePoints.Point;
import io.hdfsparity.izs.mapping.StorageForm;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Moves in a namespace in which writers append, truncate, replace, rename, delete, open and change
 * attributes between any two steps, answers get lost and movers die anywhere. The dumb twin is a
 * map of path to bytes that only the writers touch: it never hears of moves.
 */
class FileMoveTest {
  private static final String FORM = "replication 2";
  private static final String[] PATHS = {"/a", "/b", "/c"};
  private static final int ROUNDS = Integer.getInteger("izs.apply.rounds", 20_000);

  /** The mover is killed. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private final Namespace hdfs = new Namespace();
  private final Map<String, String> twin = new TreeMap<>();
  private final Map<String, Integer> twinModes = new TreeMap<>();
  private final Map<String, Integer> seen = new HashMap<>();
  private Random random = new Random(0);

  @Test
  void noAcknowledgedByteIsEverLost() {
    long seed = Long.getLong("izs.apply.seed", 20261121L);
    random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      for (String path : PATHS) {
        // Mostly something is to be done.
        if (!twin.containsKey(path) || random.nextInt(4) != 0 && isMoved(path)) {
          put(path, "file " + round, "RS-4-1-16k");
        }
      }
      String where = "seed " + seed + " round " + round;
      round(PATHS[random.nextInt(PATHS.length)], where);
      assertSame(where);
    }
    assertThat(seen.keySet())
        .as("what happened")
        .contains(
            "done",
            "killed",
            "open",
            "changed",
            "unknown",
            "copy-lost",
            "mismatch",
            "decoded",
            "thin",
            "attributes");
  }

  private boolean isMoved(String path) {
    Namespace.Inode file = hdfs.names.get(path);
    return file != null && (file.form.equals(FORM) || file.open);
  }

  private void round(String path, String where) {
    // A run begins by deleting what runs before it left.
    hdfs.names.keySet().removeIf(name -> name.startsWith("/copies/"));
    Steps steps = new Steps(path);
    MovePoints points =
        point -> {
          disturb();
          if (random.nextInt(40) == 0) {
            throw new Killed();
          }
        };
    try {
      Namespace.Inode file = hdfs.names.get(path);
      long inodeId = file == null ? 0 : file.id;
      MoveResult result =
          new FileMove(path, inodeId, new StorageForm.Replicated(2), steps, points).run();
      seen.merge(result.refusal().map(r -> r.kind()).orElse("done"), 1, Integer::sum);
      assertThat(hdfs.names.keySet())
          .as("%s: copies left", where)
          .noneMatch(name -> name.startsWith("/copies/") && steps.mayNotBeLeft);
      if (result.refusal().isEmpty()) {
        assertThat(steps.swapped || steps.inspected.equals(FORM)).as(where).isTrue();
      }
    } catch (Killed e) {
      seen.merge("killed", 1, Integer::sum);
    } catch (IOException e) {
      throw new AssertionError(where, e);
    }
  }

  private void assertSame(String where) {
    Map<String, String> bytes = new TreeMap<>();
    Map<String, Integer> modes = new TreeMap<>();
    hdfs.names.forEach(
        (path, file) -> {
          if (!path.startsWith("/copies/")) {
            bytes.put(path, file.bytes.toString());
            modes.put(path, file.mode);
          }
        });
    assertThat(bytes).as(where).isEqualTo(twin);
    assertThat(modes).as(where).isEqualTo(twinModes);
  }

  private void put(String path, String bytes, String form) {
    hdfs.create(path, form, bytes);
    twin.put(path, bytes);
    twinModes.put(path, 0644);
  }

  /** Sometimes a writer does something. */
  private void disturb() {
    if (random.nextInt(12) != 0) {
      return;
    }
    String path = PATHS[random.nextInt(PATHS.length)];
    String other = PATHS[random.nextInt(PATHS.length)];
    Namespace.Inode file = hdfs.names.get(path);
    if (file == null) {
      put(path, "new " + random.nextInt(), random.nextBoolean() ? FORM : "RS-4-1-16k");
      return;
    }
    switch (random.nextInt(9)) {
      case 0 -> {
        String more = "+" + random.nextInt(10);
        hdfs.append(file, more);
        twin.merge(path, more, String::concat);
      }
      case 1 -> put(path, "over " + random.nextInt(), "RS-4-1-16k");
      case 2 -> {
        if (!path.equals(other)) {
          hdfs.names.put(other, file);
          hdfs.names.remove(path);
          twin.put(other, twin.remove(path));
          twinModes.put(other, twinModes.remove(path));
        }
      }
      case 3 -> {
        hdfs.names.remove(path);
        twin.remove(path);
        twinModes.remove(path);
      }
      case 4 -> {
        file.mode = random.nextInt(01000);
        twinModes.put(path, file.mode);
      }
      case 5 -> file.open = !file.open;
      case 6 -> {
        // Same length, other bytes, and the time set back: only the generation tells.
        long modifiedMs = file.modifiedMs;
        int length = Math.max(0, file.bytes.length() - 1);
        hdfs.truncate(file, length);
        hdfs.append(file, "x");
        file.modifiedMs = modifiedMs;
        twin.put(path, twin.get(path).substring(0, length) + "x");
      }
      case 7 -> {
        // Another file at the path for a moment only: who reads by path would read it.
        Namespace.Inode swap = hdfs.names.get(other);
        if (swap != null) {
          hdfs.names.put(path, swap);
          hdfs.names.put(other, file);
          String bytes = twin.get(path);
          twin.put(path, twin.get(other));
          twin.put(other, bytes);
          int mode = twinModes.get(path);
          twinModes.put(path, twinModes.get(other));
          twinModes.put(other, mode);
        }
      }
      default -> meddle(random.nextBoolean());
    }
  }

  /** Another run, or somebody with too many rights, in the work folder. */
  private void meddle(boolean delete) {
    hdfs.names.entrySet().removeIf(each -> delete && each.getKey().startsWith("/copies/"));
    hdfs.names.forEach(
        (path, file) -> {
          if (path.startsWith("/copies/")) {
            hdfs.append(file, "!");
          }
        });
  }

  /** Steps in the namespace. */
  private final class Steps implements MoveSteps {
    private final String path;
    private final String copy = "/copies/" + random.nextInt(1_000_000);
    private int pauses;
    private boolean mayNotBeLeft = true;
    private boolean swapped;
    private String inspected = "";

    Steps(String path) {
      this.path = path;
    }

    @Override
    public Inspection inspectSource() throws IOException {
      inspected = hdfs.file(path).form;
      return Inspection.of(hdfs.describe(path), SwapCondition.NONE);
    }

    @Override
    public ByteDigest copy(Inspection source) throws IOException {
      Namespace.Inode from = hdfs.byId(source.identity().inodeId());
      Namespace.Inode to = hdfs.create(copy, FORM, "");
      to.mode = 0600;
      to.live = random.nextInt(3);
      to.open = true;
      StringBuilder read = new StringBuilder();
      for (int i = 0; i < from.bytes.length(); i++) {
        disturb();
        if (i < from.bytes.length()) {
          read.append(from.bytes.charAt(i));
        }
        if (random.nextInt(2000) == 0) {
          throw new Killed();
        }
      }
      int fault = random.nextInt(50);
      // A unit is away, and the parity in its place is wrong.
      if (fault == 1 && !read.isEmpty()) {
        to.bytes.append('#');
        throw new DecodedException(1, path);
      }
      to.bytes.append(read);
      to.open = false;
      // A disk or a network that lies.
      if (fault == 0 && to.bytes.length() > 0) {
        to.bytes.setCharAt(0, '?');
      }
      return digest(read);
    }

    @Override
    public Inspection inspectCopy() throws IOException {
      disturb();
      return Inspection.of(hdfs.describe(copy), SwapCondition.NONE);
    }

    @Override
    public ByteDigest readBack(FileIdentity written) throws IOException {
      disturb();
      return digest(hdfs.byId(written.inodeId()).bytes);
    }

    private ByteDigest digest(CharSequence bytes) {
      return new ByteDigest(bytes.length(), bytes.toString());
    }

    @Override
    public void dress(Inspection source) throws IOException {
      disturb();
      Namespace.Inode to = hdfs.file(copy);
      to.mode = hdfs.byId(source.identity().inodeId()).mode;
      to.modifiedMs = source.identity().modifiedMs();
    }

    @Override
    public SwapAnswer swap(FileIdentity source, FileIdentity written) throws IOException {
      disturb();
      if (random.nextInt(20) == 0) {
        throw new IOException("the question is lost");
      }
      SwapAnswer answer = hdfs.swap(source, written);
      swapped |= answer.outcome() == SwapAnswer.Outcome.SWAPPED;
      if (random.nextInt(20) == 0) {
        throw new IOException("the answer is lost");
      }
      return answer;
    }

    @Override
    public boolean pause() throws FileNotFoundException {
      Namespace.Inode to = hdfs.names.get(copy);
      if (to != null) {
        to.live = random.nextInt(3);
      }
      return ++pauses < 3;
    }

    @Override
    public void discard() throws IOException {
      if (random.nextInt(500) == 0) {
        mayNotBeLeft = false;
        throw new IOException("the delete is lost");
      }
      hdfs.names.remove(copy);
    }
  }

  @Test
  void everyPointIsPassedInOrder() throws IOException {
    put("/a", "bytes", "RS-4-1-16k");
    Steps steps = new Steps("/a");
    random =
        new Random(4) {
          private static final long serialVersionUID = 1L;

          @Override
          public int nextInt(int bound) {
            return 2 % bound;
          }
        };
    java.util.List<Point> passed = new java.util.ArrayList<>();
    MoveResult result =
        new FileMove("/a", hdfs.file("/a").id, new StorageForm.Replicated(2), steps, passed::add)
            .run();
    assertThat(result).isEqualTo(new MoveResult(5, java.util.Optional.empty()));
    assertThat(passed)
        .containsExactly(
            Point.INSPECTED, Point.COPIED, Point.VERIFIED, Point.DRESSED, Point.SWAPPED);
  }

  @Test
  void raidpNeedsANameNodeThatRunsIt() throws IOException {
    put("/a", "bytes", "RS-4-1-16k");
    MoveResult result =
        new FileMove(
                "/a", hdfs.file("/a").id, new StorageForm.Raidp(), new Steps("/a"), MovePoints.NONE)
            .run();
    assertThat(result.refusal().orElseThrow().kind()).isEqualTo("no-raidp");
    assertThat(
            FileMove.foreseen("/x", new StorageForm.Raidp(), p -> new Steps(p).inspectSource())
                .orElseThrow()
                .kind())
        .isEqualTo("changed");
  }

  @Test
  void raidpNeedsAFileThatItProtects() throws IOException {
    put("/a", "bytes", "RS-4-1-16k");
    hdfs.pairing =
        new StoredFile.Pairing(
            /* pairPlaced= */ true, /* isProtected= */ false, /* isMarked= */ false);
    FileMove move =
        new FileMove(
            "/a", hdfs.file("/a").id, new StorageForm.Raidp(), new Steps("/a"), MovePoints.NONE);
    assertThat(move.run().refusal().orElseThrow().kind()).isEqualTo("not-protected");
    hdfs.pairing =
        new StoredFile.Pairing(
            /* pairPlaced= */ true, /* isProtected= */ true, /* isMarked= */ false);
    assertThat(move.run().refusal()).isEmpty();
  }

  @Test
  void anotherFileAtThePathIsRefused() throws IOException {
    put("/a", "bytes", "RS-4-1-16k");
    long advisedId = hdfs.file("/a").id;
    put("/a", "others", "RS-4-1-16k");
    MoveResult result =
        new FileMove("/a", advisedId, new StorageForm.Replicated(2), new Steps("/a"), p -> {})
            .run();
    assertThat(result.refusal().orElseThrow().kind()).isEqualTo("changed");
    assertThat(hdfs.file("/a").form).isEqualTo("RS-4-1-16k");
  }
}
