/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.client.GroupReplacedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.junit.jupiter.api.Test;

/** One read of a group whose place another one takes. */
class GroupTriesTest {
  private static LocatedStripedBlock group(long id, long generation) {
    return new LocatedStripedBlock(
        new ExtendedBlock("pool", id, 1000, generation),
        new DatanodeInfo[0],
        new String[0],
        new StorageType[0],
        new byte[0],
        /* startOffset= */ 4000,
        /* corrupt= */ false,
        new DatanodeInfo[0]);
  }

  /** Reads that end as the list says; null ends well. */
  private static final class Script {
    private final List<IOException> ends;
    private final List<IOException> prepared = new ArrayList<>();
    private int reads;

    Script(IOException... ends) {
      this.ends = new ArrayList<>(java.util.Arrays.asList(ends));
    }

    void run() throws IOException {
      GroupTries.run("/file", this::read, prepared::add);
    }

    private void read() throws IOException {
      reads++;
      IOException end = ends.remove(0);
      if (end != null) {
        throw end;
      }
    }
  }

  private static GroupReplacedException replaced() {
    return new GroupReplacedException("/file", 4000, "blk_-32", "blk_-48");
  }

  @Test
  void aGroupIsTheOneOfItsIdWhereverItIs() throws IOException {
    GroupPin pin = new GroupPin("/file", group(-32, 7));
    LocatedStripedBlock moved = group(-32, 8);
    assertThat(pin.require(moved)).isSameAs(moved);
    assertThatThrownBy(() -> pin.require(group(-48, 7)))
        .isInstanceOf(GroupReplacedException.class)
        .hasMessage(
            "Cannot continue reading a block group: group=pool:blk_-48_7, expected pool:blk_-32_7,"
                + " of which other units were read, file=/file groupOffset=4000");
  }

  /** Ids begin at the same number in every namespace, and a Router may lead to another one. */
  @Test
  void aGroupOfAnotherPoolIsAnotherGroup() {
    GroupPin pin = new GroupPin("/file", group(-32, 7));
    LocatedStripedBlock elsewhere = group(-32, 7);
    elsewhere.getBlock().set("elsewhere", elsewhere.getBlock().getLocalBlock());
    assertThatThrownBy(() -> pin.require(elsewhere))
        .isInstanceOf(GroupReplacedException.class)
        .hasMessageContaining("group=elsewhere:blk_-32_7, expected pool:blk_-32_7");
  }

  @Test
  void aGroupThatTookThePlaceIsReadFromTheStart() throws IOException {
    Script script = new Script(replaced(), replaced(), null);
    script.run();
    assertThat(script.reads).isEqualTo(3);
    assertThat(script.prepared).isEmpty();
  }

  @Test
  void anotherFailureIsTriedOnceMore() throws IOException {
    IOException failure = new IOException("lost");
    Script script = new Script(replaced(), failure, replaced(), null);
    script.run();
    assertThat(script.prepared).containsExactly(failure);

    IOException last = new IOException("still lost");
    Script twice = new Script(failure, replaced(), last, null);
    assertThatThrownBy(twice::run).isSameAs(last);
    assertThat(twice.prepared).containsExactly(failure);
  }

  @Test
  void itEndsWhereGroupsAreReplacedForEver() {
    IOException[] ends = new IOException[GroupTries.MAX_GROUPS + 1];
    java.util.Arrays.setAll(ends, i -> replaced());
    Script script = new Script(ends);
    assertThatThrownBy(script::run)
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(GroupReplacedException.class)
        .hasMessage(
            "Cannot read a block group: groups tried=5, expected one that stays in the file while"
                + " it is read; read again, file=/file")
        .hasCauseInstanceOf(GroupReplacedException.class);
    assertThat(script.reads).isEqualTo(GroupTries.MAX_GROUPS);
  }

  @Test
  void whatIsNotToBeTriedAgainIsNot() {
    IOException failure = new IOException("closed");
    assertThatThrownBy(
            () ->
                GroupTries.run(
                    "/file",
                    () -> {
                      throw failure;
                    },
                    cause -> {
                      throw cause;
                    }))
        .isSameAs(failure);
  }
}
