/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody sends who means harm. */
class ReportRulesTest {
  private static final Set<String> MINE = Set.of("a", "b");

  private final SuperchunkMap map =
      new SuperchunkMap(new ManagerOptions.Silence(10_000, 20_000), Coefficients.THREE, 0);

  private static FrameReport frame(String storageId, long superchunk, long epoch) {
    return frame(storageId, 0, superchunk, epoch);
  }

  private static FrameReport frame(String storageId, int index, long superchunk, long epoch) {
    return Reports.frame(storageId, index, new Pairing(superchunk, epoch, "x", "nx", 1));
  }

  private NodeReports reports(Map<String, Set<String>> storages) {
    return new NodeReports(
        map,
        new NodeRoster(Map.of(), addresses -> {}),
        id ->
            Optional.ofNullable(storages.get(id))
                .map(ids -> new Registrations.Registered("10.0.0.1", Set.of(), ids)),
        new Grants(60_000),
        null,
        () -> "CID",
        () -> false,
        () -> 0,
        20_000);
  }

  private static NodeReport withDisks(NodeReport report, int disks) {
    return new NodeReport(
        report.node(), Collections.nCopies(disks, report.disks().get(0)), report.rebuilds());
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1, 1L << 40, 0, -1, Long.MIN_VALUE})
  void anEpochThatNoManagerCanHaveOrderedIsRefused(long epoch) {
    NodeReports reports = reports(Map.of("n1", MINE));
    assertThatThrownBy(() -> reports.reportNode(Reports.node("n1", frame("a", 7, epoch))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("epoch=" + epoch);
    assertThatThrownBy(() -> reports.reportLstor(Reports.lstor("n1", false, frame("a", 7, epoch))))
        .hasMessageContaining("epoch=" + epoch);
    assertThat(map.view().frames().byVolume()).isEmpty();
    assertThat(map.nextEpoch(7, List.of(new FrameRef("a", 0)))).isEqualTo(1);
  }

  @Test
  void theEpochsOfAnOldClusterAreBelievedAndGoOn() throws IOException {
    NodeReports reports = reports(Map.of("n1", MINE));
    long epoch = ReportRules.MAX_FIRST_EPOCH;
    reports.reportNode(Reports.node("n1", frame("a", 7, epoch)));
    reports.reportNode(Reports.node("n1", frame("a", 7, epoch), frame("b", 1, 8, epoch + 2)));
    long limit = epoch + 2 + ReportRules.MAX_EPOCH_STEP;
    assertThatCode(() -> ReportRules.check(List.of(frame("a", 7, limit)), map.highestEpoch(), ""))
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () -> ReportRules.check(List.of(frame("a", 7, limit + 1)), map.highestEpoch(), "n"))
        .hasMessageContaining("expected 1 to " + limit);
    assertThat(map.nextEpoch(8, List.of(new FrameRef("a", 0)))).isEqualTo(epoch + 3);
  }

  @Test
  void framesInServiceAreStoragesOfTheNode() throws IOException {
    NodeReports reports = reports(Map.of("n1", MINE, "n2", Set.of("c")));
    reports.reportNode(Reports.node("n2", frame("c", 7, 3)));
    assertThatThrownBy(() -> reports.reportNode(Reports.node("n1", frame("c", 7, 4))))
        .hasMessageContaining("storage=c")
        .hasMessageContaining("node=n1");
    assertThat(map.view().framesOn("c").get(0).nodeUuid()).isEqualTo("n2");
    assertThatCode(
            () ->
                reports.reportNode(Reports.node("n1", DiskState.DISK_FAILED, frame("gone", 9, 1))))
        .as("HDFS forgets storages of failed disks")
        .doesNotThrowAnyException();
  }

  @Test
  void aFrameIndexOfADiskIsThereOnceAndInRange() throws IOException {
    NodeReports reports = reports(Map.of("n1", MINE));
    assertThatThrownBy(
            () -> reports.reportNode(Reports.node("n1", frame("a", 1, 7, 1), frame("b", 1, 8, 1))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("frameIndex=1, expected each index of a disk once")
        .hasMessageContaining("storage=b");
    for (int index : new int[] {-1, 2, Integer.MAX_VALUE}) {
      assertThatThrownBy(
              () ->
                  reports.reportNode(
                      Reports.node("n1", frame("a", 0, 7, 1), frame("a", index, 8, 1))))
          .hasMessageContaining("frameIndex=" + index + ", expected 0 to 1");
    }
    assertThatThrownBy(
            () ->
                reports.reportLstor(
                    Reports.lstor("n1", false, frame("a", 0, 7, 1), frame("a", 0, 8, 1))))
        .hasMessageContaining("frameIndex=0, expected each index of a disk once");
    assertThat(map.view().frames().byVolume()).isEmpty();
    reports.reportNode(Reports.node("n1", frame("a", 0, 7, 1), frame("a", 1, 8, 1)));
    assertThat(map.view().framesOn("a")).hasSize(2);
  }

  /** The damage of its tables must not keep the node from reporting. */
  @Test
  void aRefusedDiskMayTellOfOneIndexTwice() throws IOException {
    NodeReports reports = reports(Map.of("n1", MINE));
    reports.reportNode(
        Reports.node("n1", DiskState.LSTOR_FAILED, frame("a", 0, 7, 1), frame("b", 0, 8, 1)));
    ShapeOfCluster shape = new ShapeOfCluster(map.view(), Map.of(), List.of());
    assertThat(shape.shape().disks().get(0).frames()).hasSize(1);
  }

  @Test
  void aFrameOfARefusedDiskHasANameToo() {
    NodeReports reports = reports(Map.of("n1", MINE));
    for (DiskState state : DiskState.values()) {
      for (int index : new int[] {-1, Integer.MIN_VALUE, ReportRules.MAX_FRAMES}) {
        assertThatThrownBy(
                () -> reports.reportNode(Reports.node("n1", state, frame("a", index, 7, 1))))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("frameIndex=" + index + ", expected 0 to ");
      }
      for (String blank : List.of("", " ")) {
        assertThatThrownBy(
                () -> reports.reportNode(Reports.node("n1", state, frame(blank, 3, 7, 1))))
            .hasMessageContaining("storage=" + blank + ", expected the id of a volume")
            .hasMessageContaining("frameIndex=3");
      }
    }
    assertThatThrownBy(() -> reports.reportLstor(Reports.lstor("n1", false, frame("", 3, 7, 1))))
        .hasMessageContaining("expected the id of a volume");
    assertThat(map.view().frames().byVolume()).isEmpty();
  }

  @Test
  void whoIsNotRegisteredIsRefused() {
    NodeReports reports = reports(Map.of("n1", MINE));
    assertThatThrownBy(() -> reports.reportNode(Reports.node("invented")))
        .hasMessageContaining("node=invented");
    assertThatThrownBy(() -> reports.reportLstor(Reports.lstor("invented", false)))
        .hasMessageContaining("node=invented");
    assertThat(map.view().nodes()).isEmpty();
  }

  @Test
  void idsAndSizesAreBounded() {
    NodeReports reports = reports(Map.of("n1", MINE));
    for (long id : new long[] {-1, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> reports.reportNode(Reports.node("n1", frame("a", id, 1))))
          .hasMessageContaining("superchunk=" + id);
    }
    List<FrameReport> many = new ArrayList<>();
    for (int i = 0; i <= ReportRules.MAX_FRAMES; i++) {
      many.add(Reports.spare("a", i));
    }
    assertThatThrownBy(
            () -> reports.reportNode(Reports.node("n1", many.toArray(FrameReport[]::new))))
        .hasMessageContaining("frames=" + many.size());
    NodeReport one = Reports.node("n1");
    assertThatThrownBy(() -> reports.reportNode(withDisks(one, ReportRules.MAX_DISKS + 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("disks=" + (ReportRules.MAX_DISKS + 1));
    assertThatCode(
            () ->
                ReportRules.check(
                    withDisks(one, ReportRules.MAX_DISKS), MINE, /* highestEpoch= */ 0))
        .doesNotThrowAnyException();
  }
}
