/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanCommandTest {
  private record Result(int exitCode, String out, String err) {}

  private static Result run(String line) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        new PlanCommand()
            .run(
                line.isEmpty() ? new String[0] : line.split(" "),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    return new Result(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void drawsFigure3() {
    Result result = run("-plan -nodes 7 -disks 1 -frames 6 -spare 0 -diskSize 6T");
    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .contains("21 of 1.0 T each; 6 to 6 on a disk (layout: shifted)")
        .contains("21.0 T usable of 42.0 T raw (50.0 %); three replicas: 14.0 T (33.3 %)")
        .contains("    S1     1     2     3     4     5     6     7")
        .contains("    S2     7     1     2     3     4     5     6")
        .contains("    S3     8     9    10    11    12    13    14")
        .contains("    S4    13    14     8     9    10    11    12")
        .contains("    S5    15    16    17    18    19    20    21")
        .contains("    S6    19    20    21    15    16    17    18")
        .contains("any 2 disks yes: at most one superchunk loses both replicas")
        .contains("one disk: no (7 of 7 cases tried, 0 fully");
  }

  @ParameterizedTest
  @CsvSource({
    "6,2,2,",
    "7,1,1,",
    "5,3,1,4",
    "10,2,3,9",
    "9,1,3,5",
    "30,12,3,",
    "2,1,1,",
    "2,1,2,",
    "3,4,2,"
  })
  void jsonListsLegalSuperchunks(int nodes, int disks, int racks, Integer frames)
      throws IOException {
    Result result =
        run(
            "-nodes "
                + nodes
                + " -disks "
                + disks
                + " -racks "
                + racks
                + (frames == null ? "" : " -frames " + frames)
                + " -json");
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertLegal(new ObjectMapper().readTree(result.out()), racks);
  }

  /** Checks the document alone, as a user's script would. */
  private static void assertLegal(JsonNode plan, int racks) {
    Set<Long> ids = new HashSet<>();
    Set<String> frames = new HashSet<>();
    Set<Set<String>> sharing = new HashSet<>();
    Map<String, Integer> loads = new HashMap<>();
    for (JsonNode superchunk : plan.get("superchunks")) {
      assertThat(ids.add(superchunk.get("id").asLong())).isTrue();
      assertThat(superchunk.get("replicas")).hasSize(2);
      Set<String> disks = new HashSet<>();
      Set<String> nodes = new HashSet<>();
      Set<String> inRacks = new HashSet<>();
      for (JsonNode replica : superchunk.get("replicas")) {
        String disk = replica.get("node").asText() + " " + replica.get("disk").asText();
        assertThat(replica.get("frame").isInt()).isTrue();
        assertThat(replica.get("frame").asInt())
            .isBetween(0, plan.get("framesPerDisk").asInt() - 1);
        assertThat(frames.add(disk + " " + replica.get("frame").asInt())).isTrue();
        disks.add(disk);
        nodes.add(replica.get("node").asText());
        inRacks.add(replica.get("rack").asText());
        loads.merge(disk, 1, Integer::sum);
      }
      assertThat(nodes).hasSize(2);
      assertThat(inRacks).hasSize(racks >= 2 ? 2 : 1);
      assertThat(sharing.add(disks)).as("1-sharing").isTrue();
    }
    assertThat(ids).hasSize(plan.get("superchunkCount").asInt()).isNotEmpty();
    int spare = plan.get("spareFramesPerDisk").asInt();
    assertThat(spare).isPositive();
    assertThat(loads.values()).allMatch(load -> load <= plan.get("framesPerDisk").asInt() - spare);
    assertThat(plan.get("usableBytes").asLong())
        .isEqualTo(ids.size() * plan.get("superchunkBytes").asLong());
    assertThat(plan.get("survives").get("anyDisk").asBoolean()).isTrue();
    assertThat(plan.get("survives").get("anyNode").asBoolean()).isTrue();
    assertThat(plan.get("survives").get("anyTwoDisks").asBoolean()).isTrue();
    assertThat(plan.get("survives").get("anyRackAvailability").asBoolean()).isEqualTo(racks >= 2);
    assertThat(plan.get("lstor").get("totalBytes").asLong())
        .isBetween(
            plan.get("superchunkBytes").asLong() * 1007 / 1000,
            plan.get("superchunkBytes").asLong() * 1015 / 1000);
  }

  @Test
  void plansTwelveThousandDisksAsJsonInSeconds() throws IOException {
    long start = System.nanoTime();
    ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 26);
    int exitCode =
        new PlanCommand()
            .run(
                "-nodes 1000 -disks 12 -racks 40 -frames 64 -json".split(" "),
                new PrintStream(out),
                System.err);
    long elapsedMs = (System.nanoTime() - start) / 1_000_000;
    System.out.println(
        "-plan -nodes 1000 -disks 12 -racks 40 -frames 64 -json: "
            + out.size()
            + " bytes in "
            + elapsedMs
            + " ms");
    assertThat(exitCode).isZero();
    // Seconds on a machine that has nothing else to do; minutes are never right.
    assertThat(elapsedMs).isLessThan(240_000);
    JsonNode plan = new ObjectMapper().readTree(out.toByteArray());
    assertThat(plan.get("superchunks")).hasSize(342_000);
    assertThat(plan.get("minSuperchunksPerDisk").asInt()).isEqualTo(57);
    assertThat(plan.get("maxSuperchunksPerDisk").asInt()).isEqualTo(57);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-nodes 5 | option -disks is missing",
        "-disks 5 | option -nodes is missing",
        "-nodes | option -nodes has no value",
        "-nodes -disks 2 | option -nodes has no value",
        "-nodes 5 -disks 2 -foo | unknown option '-foo'",
        "-nodes 5 -disks 2 -nodes 6 | option -nodes is given twice",
        "-nodes five -disks 2 | -nodes=five, expected a whole number",
        "-nodes 5 -disks -2 | -disks=-2, expected a whole number from 1",
        "-nodes 5 -disks 0 | -disks=0, expected a whole number from 1",
        "-nodes 99999999999 -disks 1 | -nodes=99999999999, expected a whole number",
        "-nodes 5 -disks 2 -diskSize 4X | -diskSize=4X, expected a positive size such as 4T",
        "-nodes 5 -disks 2 -diskSize -4T | -diskSize=-4T, expected a positive size",
        "-nodes 5 -disks 2 -diskSize T | -diskSize=T, expected a positive size",
        "-nodes 5 -disks 2 -diskSize 0 | -diskSize=0, expected a positive size",
        "-nodes 5 -disks 2 -diskSize 9999999999P | expected a positive size",
        "-nodes 5 -disks 2 -spare 100% | -spare=100%, expected a number of frames",
        "-nodes 5 -disks 2 -spare -1 | -spare=-1, expected a number of frames",
        "-nodes 5 -disks 2 -spare many | -spare=many, expected a number of frames",
        "-nodes 5 -disks 2 -room 3 | -room=3, expected a number of failed disks from 0 to 2",
        "-nodes 5 -disks 2 -seed x | -seed=x, expected a whole number",
        "-nodes 1 -disks 4 | nodes=1, expected nodes >= 2",
        "-nodes 3 -disks 2 -racks 4 | racks=4, expected at most nodes=3",
        "-nodes 5 -disks 2 -frames 3 -spare 3 | spare frames=3 of frames=3",
        "-nodes 3 -disks 1 -frames 10 | 9 superchunks on each disk, expected at most 2",
        "-nodes 4 -disks 1 -racks 2 -frames 4 | 3 superchunks on each disk, expected at most 2",
        "-nodes 50 -disks 2 -diskSize 4M | frames of at least 1048576 bytes",
        "-nodes 2000000 -disks 2000 | at most 4000000 disks",
        "-nodes 200000 -disks 20 -frames 64 | at most 8000000 frames in all",
        "-nodes 200000 -disks 20 | at most 50000 nodes",
        "-nodes 10000 -disks 24 -superchunkSize 4G | at most 64000000 sides of superchunks",
        "-nodes 5 -disks 2 -frames 3 -superchunkSize 4G | -frames and -superchunkSize are both given",
        "-nodes 5 -disks 2 -superchunkSize 5T | superchunkSize=5497558138880 bytes",
        "-nodes 5 -disks 2 -superchunkSize 1 | a multiple of 1048576 bytes",
        "-nodes 5 -disks 2 -superchunkSize 4X | -superchunkSize=4X, expected a positive size",
        "-nodes 5 -disks 2 -link 1 | -link=1, expected bits a second",
        "-nodes 5 -disks 2 -link 0G | -link=0G, expected bits a second",
        "-nodes 5 -disks 2 -diskRate fast | -diskRate=fast, expected a positive size",
        "-nodes 2 -disks 1 -frames 2 -diskSize 7000P | frames of at most",
      })
  void refusesByName(String line, String message) {
    Result result = run(line);
    assertThat(result.exitCode()).isEqualTo(-1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("plan: Cannot plan").contains(message);
  }

  @Test
  void refusesNoArgumentsAndHelps() {
    assertThat(run("").exitCode()).isEqualTo(-1);
    Result help = run("-plan -help");
    assertThat(help.exitCode()).isZero();
    assertThat(help.out()).contains("-nodes N", "-diskSize SIZE");
  }

  @Test
  void takesASpareShareOrNumber() throws IOException {
    for (String spare : new String[] {"25%", "0.25", "2"}) {
      JsonNode plan =
          new ObjectMapper()
              .readTree(run("-nodes 20 -disks 1 -frames 8 -spare " + spare + " -json").out());
      assertThat(plan.get("spareFramesPerDisk").asInt()).as(spare).isEqualTo(2);
      assertThat(plan.get("superchunkCount").asInt()).as(spare).isEqualTo(60);
    }
  }

  @Test
  void saysWhatRoomForFailedDisksCosts() throws IOException {
    assertThat(run("-nodes 5 -disks 1 -frames 4").out())
        .contains("with room for 2 failed disks")
        .contains("with room=2, ", " with room=1, 7 with room=0");
    JsonNode densest =
        new ObjectMapper().readTree(run("-nodes 5 -disks 1 -frames 4 -room 0 -json").out());
    assertThat(densest.get("superchunkCount").asInt()).isEqualTo(7);
    assertThat(densest.get("roomDisks").asInt()).isZero();
    assertThat(run("-nodes 40 -disks 4 -frames 10").out()).doesNotContain("room=");
  }

  @Test
  void superchunksOfFourGigabytesAsInThePaper() throws IOException {
    JsonNode plan =
        new ObjectMapper()
            .readTree(run("-nodes 60 -disks 12 -diskSize 1T -superchunkSize 4G -json").out());
    assertThat(plan.get("superchunkCount").asInt()).isEqualTo(60 * 12 * 256 / 2);
    assertThat(plan.get("minSuperchunksPerDisk").asInt()).isEqualTo(256);
    assertThat(plan.get("maxSuperchunksPerDisk").asInt()).isEqualTo(256);
    JsonNode lstor = plan.get("lstor");
    assertThat(lstor.get("totalBytes").asLong()).isBetween(4L << 30, (4L << 30) * 1015 / 1000);
    assertThat(lstor.get("tableBytes").asLong()).isLessThan((4L << 30) / 200);
    assertThat(plan.get("survives").get("maxSuperchunksSharedByTwoNodes").asInt()).isEqualTo(53);
    assertThat(plan.get("survives").get("minSuperchunksSharedByTwoNodes").asInt())
        .isBetween(51, 52);
    assertThat(plan.get("costs").get("lostBlockSeconds").asDouble())
        .isBetween(27.0, 27.5); // 255 mirrors of 128 MiB over 10 Gbit/s
  }

  @Test
  void choosesAnLstorOfOnePercentWhereTheDisksAreEnough() throws IOException {
    for (String shape : new String[] {"-nodes 20 -disks 12 -diskSize 8T", "-nodes 30 -disks 6"}) {
      JsonNode plan = new ObjectMapper().readTree(run(shape + " -json").out());
      long disk = plan.get("diskBytes").asLong();
      assertThat(plan.get("lstor").get("totalBytes").asLong()).isBetween(disk / 250, disk / 100);
      assertThat(plan.get("notes")).hasSize(1);
      assertThat(plan.get("notes").get(0).asText()).contains("set frames.per.volume=");
    }
    assertThat(run("-nodes 20 -disks 12 -frames 5").out()).doesNotContain("frames.per.volume");
    assertThat(run("-nodes 6 -disks 2").out()).contains("an Lstor takes more than 1 % of its disk");
  }

  @Test
  void sharesWithAllOthersWhenNoRoomIsAskedFor() throws IOException {
    JsonNode plan =
        new ObjectMapper()
            .readTree(run("-nodes 20 -disks 12 -superchunkSize 4G -room 0 -json").out());
    assertThat(plan.get("superchunkCount").asInt()).isEqualTo(240 * 228 / 2);
    assertThat(plan.get("recovery").get(0).get("fullyRedundantAfter").asInt()).isZero();
  }

  @Test
  void saysWhatFailuresTakeBesideThreeReplicas() throws IOException {
    JsonNode plan = new ObjectMapper().readTree(run("-nodes 8 -disks 3 -json").out());
    Map<String, String> lost = new HashMap<>();
    for (JsonNode each : plan.get("losesAtMost")) {
      lost.put(
          each.get("failure").asText(),
          each.get("superchunks").asInt() + " " + each.get("superchunksWithXor").asInt());
    }
    assertThat(lost)
        .containsEntry("2 disks", "0 0")
        .containsEntry("2 disks and the Lstor of one", "0 0")
        .containsEntry("2 disks and both Lstors", "1 1")
        .containsEntry("3 disks that share pairwise", "0 3")
        .containsEntry("3 such disks and the Lstor of one", "3 3")
        .containsEntry("1 node", "0 0")
        .containsEntry("3 disks, two of a node hold each other's Lstor", "2 2")
        .containsEntry("3 disks, Lstors on the node's next disk", "0 0");
    int shared = plan.get("survives").get("maxSuperchunksSharedByTwoNodes").asInt();
    assertThat(lost).containsEntry("2 nodes with their Lstors", shared + " " + shared);
  }

  @Test
  void saysWhatItCosts() {
    assertThat(run("-nodes 20 -disks 12 -diskSize 8T -link 1G -diskRate 200M").out())
        .contains("Lstor         64.7 G for each disk", "0.79 % of the disk")
        .contains("frame.size=64g, unit.size=16m, lstor.ring.size=16m")
        .contains("Lstor writes  2.02 bytes for each byte written")
        .contains("a block of 128.0 M with no replica left: 2 min over one link")
        .contains("a full disk has its second replicas again after 62 min (limit: links of");
  }

  /** 8 T in blocks of 128 M are 65,536 copies, by 19 nodes of two each in 3 s: 86 min. */
  @Test
  void saysHowLongARecoveryTakesWithTheCopiesThatHdfsStarts() throws Exception {
    String line = "-nodes 20 -disks 12 -diskSize 8T";
    assertThat(run(line).out())
        .contains("has its second replicas again after 8 min (limit: disks)")
        .contains("86 min with dfs.namenode.replication.max-streams=2");
    assertThat(run(line + " -maxStreams 20").out())
        .contains("9 min with dfs.namenode.replication.max-streams=20");
    assertThat(run(line + " -maxStreams 1000").out())
        .contains("8 min with dfs.namenode.replication.max-streams=1000");
    assertThat(
            new ObjectMapper()
                .readTree(run(line + " -json").out())
                .get("costs")
                .get("diskRecoveryInHdfsSeconds")
                .asDouble())
        .isBetween(5160.0, 5190.0);
  }

  @Test
  void anotherSeedGivesAnotherLayout() {
    String line = "-nodes 6 -disks 4 -frames 5 -json -seed ";
    assertThat(run(line + 1).out())
        .isEqualTo(run(line + 1).out())
        .isNotEqualTo(run(line + 2).out());
  }

  @Test
  void saysThatTheOutputIsFull() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("no space left");
          }
        };
    int exitCode =
        new PlanCommand()
            .run("-nodes 6 -disks 1".split(" "), new PrintStream(full), new PrintStream(err));
    assertThat(exitCode).isEqualTo(-1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("closed or is full");
  }

  @Test
  void parsesSizes() {
    assertThat(
            Map.of("4T", 4L << 40, "500G", 500L << 30, "64m", 64L << 20, "1.5K", 1536L, "7", 7L)
                .entrySet()
                .stream()
                .collect(
                    Collectors.toMap(
                        Map.Entry::getKey,
                        entry ->
                            PlanArguments.size("-diskSize", entry.getKey()) - entry.getValue())))
        .allSatisfy((text, difference) -> assertThat(difference).isZero());
  }
}
