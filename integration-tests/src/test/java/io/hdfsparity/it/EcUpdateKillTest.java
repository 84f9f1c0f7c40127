/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.config.SessionKey;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that are killed in the middle of writes, and DataNodes that are started again meanwhile;
 * on a cluster without block tokens. What was acknowledged is there, and parity fits.
 */
@Tag("full")
@Timeout(1200)
class EcUpdateKillTest {
  private static final int ROUNDS = 3;
  private static final int ACKS_A_ROUND = 150;
  private static final int RECORD_BYTES = 5000;
  private static final int FILE_BYTES = 8 * MiniUpdates.CELL_BYTES + 12_345;
  private static final int RECORDS = FILE_BYTES / RECORD_BYTES;

  @TempDir static java.nio.file.Path root;
  private static MiniUpdates cluster;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = UpdateKeys.sessionsWithoutTokens("5s");
    more.put(SessionKey.LEASE.key(), "20s");
    more.put("dfs.namenode.heartbeat.recheck-interval", "30000");
    cluster = new MiniUpdates(root, 5, more);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /** The program that is killed: writes records, and says which have been acknowledged. */
  public static final class Program {
    private Program() {}

    public static void main(String[] args) throws IOException {
      Configuration conf = new Configuration(false);
      conf.addResource(new Path(args[0]));
      Random random = new Random(Long.parseLong(args[2]));
      FileSystem fs = FileSystem.get(URI.create(conf.get("fs.defaultFS")), conf);
      StripedFileUpdater updater = KilledProgram.open(fs, new Path(args[1]));
      for (int version = Integer.parseInt(args[3]); ; version++) {
        int record = random.nextInt(RECORDS);
        System.out.println("begin " + record + " " + version + " .");
        updater =
            KilledProgram.write(
                updater,
                fs,
                new Path(args[1]),
                (long) record * RECORD_BYTES,
                record(record, version));
        System.out.println("ack " + record + " " + version + " .");
      }
    }
  }

  /** Version 0 is what the file was made with. */
  private static byte[] record(int record, int version) {
    byte[] bytes = new byte[RECORD_BYTES];
    new Random(record * 1_000_003L + version).nextBytes(bytes);
    return bytes;
  }

  private static byte[] fileBytes() {
    byte[] bytes = new byte[FILE_BYTES];
    for (int record = 0; record < RECORDS; record++) {
      System.arraycopy(record(record, 0), 0, bytes, record * RECORD_BYTES, RECORD_BYTES);
    }
    return bytes;
  }

  @Test
  void whatWasAcknowledgedOutlivesItsWriter() throws Exception {
    cluster.write("/killed", fileBytes());
    java.nio.file.Path site = root.resolve("client-site.xml");
    cluster.writeSite(site);
    int[] acked = new int[RECORDS];
    int version = 1;
    for (int round = 0; round < ROUNDS; round++) {
      cluster.openAtLast("/killed").close(); // the program does not wait for DataNodes
      int[] unsure = {-1, 0};
      try (KilledProgram program =
          new KilledProgram(
              Program.class,
              site.toString(),
              "/killed",
              Integer.toString(round),
              Integer.toString(version))) {
        int acks = 0;
        for (String[] words = program.next(); words != null; words = program.next()) {
          int record = Integer.parseInt(words[1]);
          version = Integer.parseInt(words[2]) + 1;
          if (words[0].equals("begin")) {
            unsure = new int[] {record, version - 1};
          } else {
            acked[record] = version - 1;
            unsure = new int[] {-1, 0};
            if (++acks == ACKS_A_ROUND / 2 && round == 1) {
              cluster.restart(cluster.group("/killed").nodes()[round], () -> {});
            } else if (acks == ACKS_A_ROUND) {
              program.kill();
            }
          }
        }
        assertThat(acks)
            .as("acknowledged in round %d; the program said: %s", round, program.errors())
            .isGreaterThanOrEqualTo(ACKS_A_ROUND);
      }
      check(acked, unsure, round);
    }
  }

  private static StripedFileUpdater open() throws IOException {
    return FileUpdates.open(cluster.fs(), new Path("/killed"), UpdaterOptions.standard());
  }

  private static void check(int[] acked, int[] unsure, int round) throws Exception {
    byte[] ours = new byte[FILE_BYTES];
    try (StripedFileUpdater updater = open()) {
      updater.recover(0, FILE_BYTES, 50);
      assertThat(updater.read(0, ByteBuffer.wrap(ours))).isEqualTo(FILE_BYTES);
    }
    for (int record = 0; record < RECORDS; record++) {
      byte[] found = Arrays.copyOfRange(ours, record * RECORD_BYTES, (record + 1) * RECORD_BYTES);
      byte[] last = record(record, acked[record]);
      byte[] begun = record == unsure[0] ? record(record, unsure[1]) : last;
      for (int at = 0; at < RECORD_BYTES; at++) {
        assertThat(found[at] == last[at] || found[at] == begun[at])
            .as("round %d, record %d, byte %d", round, record, at)
            .isTrue();
      }
    }
    cluster.verify(cluster.group("/killed"));
    if (unsure[0] >= 0) {
      // Settled by writing it: the next round knows what is there.
      try (StripedFileUpdater updater = open()) {
        byte[] settled = record(unsure[0], unsure[1]);
        updater.write((long) unsure[0] * RECORD_BYTES, ByteBuffer.wrap(settled));
        System.arraycopy(settled, 0, ours, unsure[0] * RECORD_BYTES, RECORD_BYTES);
        acked[unsure[0]] = unsure[1];
      }
    }
    assertThat(Arrays.equals(WholeFile.read(cluster.fs(), "/killed"), ours))
        .as("a stock read")
        .isTrue();
    assertThat(cluster.corruptReplicas()).isZero();
  }
}
