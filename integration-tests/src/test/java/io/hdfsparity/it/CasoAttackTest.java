/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.caso.fs.RewritePoints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user works against a superuser's commands on files in the user's own directory. */
@Tag("full")
class CasoAttackTest {
  private static final Path OWN = new Path("/mallory");
  private static final Path SHARED = new Path("/shared");
  private static final String FILE = "/mallory/f";

  @TempDir static java.nio.file.Path root;

  private static MiniCaso caso;
  private static DistributedFileSystem stock;
  private static UserGroupInformation mallory;
  private static FileSystem hers;

  @BeforeAll
  static void start() throws Exception {
    caso = MiniCaso.start(root);
    stock = caso.stock();
    mallory = UserGroupInformation.createRemoteUser("mallory");
    hers =
        mallory.doAs(
            (PrivilegedExceptionAction<FileSystem>)
                () -> FileSystem.newInstance(stock.getUri(), stock.getConf()));
    // A directory where everybody may rename everything.
    stock.mkdirs(SHARED);
    stock.setPermission(SHARED, new FsPermission((short) 0777));
  }

  @AfterAll
  static void stop() throws IOException {
    hers.close();
    caso.close();
  }

  private static byte[] make(String path, long seed) throws IOException {
    byte[] bytes = caso.make(path, seed);
    stock.setOwner(OWN, "mallory", "users");
    stock.setPermission(OWN, new FsPermission((short) 0777));
    stock.setOwner(new Path(path), "mallory", "users");
    return bytes;
  }

  /** Puts another user's file in the place of whatever a run has in the user's directory. */
  private static final class Exchange implements RewritePoints {
    private final Path victim;
    private final List<String> denied = new ArrayList<>();

    Exchange(Path victim) {
      this.victim = victim;
    }

    @Override
    public void reached(Point point) {
      try {
        replaceAll(OWN);
        for (String each : new String[] {"/.caso", "/.caso/work", "/.caso/index", "/.caso/spare"}) {
          try {
            replaceAll(new Path(each));
          } catch (AccessControlException e) {
            denied.add(each);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void replaceAll(Path directory) throws IOException {
      if (!stock.exists(directory)) {
        return;
      }
      for (FileStatus each : hers.listStatus(directory)) {
        boolean isOurs = each.getPath().getName().startsWith(".caso-") || directory != OWN;
        if (isOurs && stock.exists(victim)) {
          Path place = each.getPath();
          hers.rename(place, new Path(SHARED, "taken-" + place.getName()));
          hers.rename(victim, place);
        }
      }
    }
  }

  /** The file of the other user, wherever it is by now. */
  private static FileStatus find(long inodeId) throws IOException {
    return stock.getFileStatus(new Path("/.reserved/.inodes/" + inodeId));
  }

  @Test
  void anothersFileInThePlaceOfACopyStaysAnothers() throws Exception {
    byte[] bytes = make(FILE, 1);
    Path victim = new Path(SHARED, "secret");
    MiniLevels.write(stock, victim.toString(), new byte[] {1, 2, 3});
    stock.setOwner(victim, "victim", "victims");
    stock.setPermission(victim, new FsPermission((short) 0600));
    long inodeId = stock.getClient().getFileInfo(victim.toString()).getFileId();
    for (String[] command :
        new String[][] {
          {"-organize", FILE, "-trace", caso.trace(0)},
          {"-reorganize", FILE, "-trace", caso.trace(1)},
          {"-rewrite", FILE},
          {"-restore", FILE}
        }) {
      Exchange exchange = new Exchange(victim);
      int code = caso.run(exchange, command);
      String what = String.join(" ", command) + ": " + caso.err();
      FileStatus now = find(inodeId);
      assertThat(now.getOwner() + ":" + now.getGroup()).as(what).isEqualTo("victim:victims");
      assertThat(now.getPermission().toShort()).as(what).isEqualTo((short) 0600);
      assertThat(code).as(what).isZero();
      assertThat(exchange.denied).as(what).contains("/.caso/work", "/.caso/index", "/.caso/spare");
      assertThat(caso.read(FILE)).as(what).isEqualTo(bytes);
    }
    assertThat(stock.getFileStatus(new Path(FILE)).getOwner()).isEqualTo("mallory");
    stock.delete(OWN, true);
  }

  @Test
  void anothersDirectoryUnderTheNameOfPartsIsNotDeleted() throws Exception {
    make(FILE, 2);
    long fileId = stock.getClient().getFileInfo(FILE).getFileId();
    Path victim = new Path(SHARED, "precious");
    Path inside = new Path(victim, "only");
    MiniLevels.write(stock, inside.toString(), new byte[] {1});
    stock.setOwner(victim, "victim", "victims");
    stock.setPermission(victim, new FsPermission((short) 0700));
    Path parts = new Path(OWN, ".caso-parts-" + fileId + "-" + "0f".repeat(32));
    assertThat(hers.rename(victim, parts)).isTrue();
    Path copy = new Path(OWN, ".caso-copy-" + fileId + "-" + "0f".repeat(8));
    MiniLevels.write(stock, new Path(SHARED, "other").toString(), new byte[] {1});
    assertThat(hers.rename(new Path(SHARED, "other"), copy)).isTrue();
    for (String[] command :
        new String[][] {
          {"-restore", FILE}, {"-organize", FILE, "-trace", caso.trace(0)}, {"-repair", FILE}
        }) {
      caso.run(command);
      assertThat(stock.exists(new Path(parts, "only"))).as(command[0]).isTrue();
      assertThat(stock.exists(copy)).as(command[0]).isTrue();
    }
    stock.delete(OWN, true);
  }
}
