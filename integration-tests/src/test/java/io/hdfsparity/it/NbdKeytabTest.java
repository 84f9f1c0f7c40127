/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server of block devices outlives its Kerberos tickets by a keytab. */
@Tag("full")
@Timeout(600)
class NbdKeytabTest {
  private static final int FILE_BYTES = 8 * MiniUpdates.CELL_BYTES;
  private static final int TICKET_SECONDS = 20;

  private static Map<String, String> keys(MiniKerberos kerberos) {
    Map<String, String> more = UpdateKeys.sessions("2s");
    more.putAll(UpdateKeys.lease("6s")); // renewed by a connection of its own each time
    more.putAll(kerberos.keys());
    more.put("hadoop.kerberos.min.seconds.before.relogin", "1");
    more.put("ipc.client.connection.maxidletime", "1000");
    return more;
  }

  /** Counts how often the process has got a ticket from the KDC by its key. */
  private static long logins(NbdServerProcess server) throws Exception {
    return server.log().lines().filter(line -> line.contains("KrbAsRep cons")).count();
  }

  @Test
  void writesGoOnAfterAllTicketsHaveExpired(@TempDir Path root) throws Exception {
    try (MiniKerberos kerberos = new MiniKerberos(root.resolve("kdc"), "alice");
        MiniUpdates cluster = new MiniUpdates(root.resolve("cluster"), 5, keys(kerberos))) {
      byte[] twin = new byte[FILE_BYTES];
      cluster.write("/disk", twin);
      org.apache.hadoop.fs.Path disk = new org.apache.hadoop.fs.Path("/disk");
      cluster.fs().setOwner(disk, "alice", "people");
      cluster.fs().setPermission(disk, new FsPermission("600"));
      Path site = root.resolve("site.xml");
      cluster.writeSite(site);
      try (NbdServerProcess server =
          new NbdServerProcess(
                  site,
                  List.of(
                      "-Djava.security.krb5.conf=" + kerberos.shortLived(TICKET_SECONDS),
                      "-Dsun.security.krb5.debug=true"),
                  "/disk",
                  "-retry",
                  "30s",
                  "-wait",
                  "1m",
                  "-principal",
                  "alice@" + kerberos.realm(),
                  "-keytab",
                  kerberos.keytab().toString())
              .ready()) {
        try (NbdClient client = new NbdClient(server.port, "/disk")) {
          write(client, twin, 1);
          for (int life = 1; life <= 2; life++) {
            Instant end = Instant.now().plusSeconds(TICKET_SECONDS + 2);
            await("all tickets of now have expired")
                .atMost(Duration.ofSeconds(2 * TICKET_SECONDS))
                .until(() -> Instant.now().isAfter(end));
            write(client, twin, 1 + life);
          }
          assertThat(client.read(0, FILE_BYTES)).isEqualTo(twin);
        }
        assertThat(logins(server)).as(server.log()).isGreaterThanOrEqualTo(3);
        server.signal("TERM");
        assertThat(server.process.waitFor(60, TimeUnit.SECONDS)).as(server.log()).isTrue();
      }
      await("a stock client reads it")
          .until(() -> WholeFile.isReadable(cluster.fs(), "/disk", twin));
      cluster.verify(cluster.group("/disk"));
    }
  }

  private static void write(NbdClient client, byte[] twin, int seed) throws Exception {
    byte[] bytes = new byte[70_001];
    new Random(seed).nextBytes(bytes);
    int place = seed * MiniUpdates.CELL_BYTES + 12_345;
    client.write(place, bytes);
    System.arraycopy(bytes, 0, twin, place, bytes.length);
  }
}
