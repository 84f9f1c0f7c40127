/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.localcluster.AdminCommand;
import io.hdfsparity.localcluster.Await;
import io.hdfsparity.localcluster.torture.history.CellContent;
import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.history.WriteTag;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A striped file whose cells of 4 KiB are registers: writes and reads of them, each in the history.
 * Immutable.
 *
 * @param site of the run
 * @param path of the file
 * @param content what is written to its cells
 */
record CellFile(Site site, String path, CellContent content) {
  private static final Duration OPEN_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration VERIFY_TIMEOUT = Duration.ofMinutes(5);

  /** The file of that path; it may not be there yet. */
  static CellFile of(Site site, String path) {
    return new CellFile(site, path, CellContent.of(site.schedule().seed(), path));
  }

  Path file() {
    return new Path(path);
  }

  private String object(int cell) {
    return path + "#" + cell;
  }

  /**
   * Makes the file.
   *
   * @param used cells that are read and written later; others are not in the history
   */
  void create(DistributedFileSystem fs, int cells, long blockBytes, List<Integer> used)
      throws IOException {
    List<Operation> begun = new ArrayList<>();
    for (int cell : used) {
      begun.add(
          site.history()
              .begin("first", OperationKind.UPDATE, object(cell), WriteTag.FIRST.toString()));
    }
    try (FSDataOutputStream out = fs.createFile(file()).blockSize(blockBytes).build()) {
      for (int cell = 0; cell < cells; cell++) {
        out.write(content.bytes(cell, WriteTag.FIRST));
      }
    }
    for (Operation each : begun) {
      site.history().acknowledge(each);
    }
  }

  /**
   * Writes a cell in place.
   *
   * @throws io.hdfsparity.ecupdate.updater.SessionOverException if the session is over
   * @throws IOException if it cannot be written down
   */
  void write(StripedFileUpdater opened, String client, int cell, WriteTag tag) throws IOException {
    Operation begun =
        site.history().begin(client, OperationKind.UPDATE, object(cell), tag.toString());
    try {
      opened.write((long) cell * CellContent.BYTES, ByteBuffer.wrap(content.bytes(cell, tag)));
    } catch (IOException e) {
      site.history().fail(begun);
      Site.throwIfOver(e);
      return;
    }
    site.history().acknowledge(begun);
  }

  /** Reads a cell by an updater, as {@link Site#read}. */
  boolean read(StripedFileUpdater opened, String client, int cell) throws IOException {
    return site.read(
        client,
        OperationKind.UPDATER_READ,
        object(cell),
        () -> {
          ByteBuffer found = ByteBuffer.allocate(CellContent.BYTES);
          opened.read((long) cell * CellContent.BYTES, found);
          return content.found(cell, found.array());
        });
  }

  /** Opens the file and reads a cell, as {@link Site#read}. */
  boolean read(FileSystem fs, String client, int cell) throws IOException {
    return site.read(
        client,
        OperationKind.STOCK_READ,
        object(cell),
        () -> {
          byte[] found = new byte[CellContent.BYTES];
          try (FSDataInputStream in = fs.open(file())) {
            in.readFully((long) cell * CellContent.BYTES, found);
          }
          return content.found(cell, found);
        });
  }

  /** How a session is opened. */
  interface Opening {
    StripedFileUpdater open() throws IOException;
  }

  /** Opens a session; it may be refused while HDFS still rebuilds. */
  private StripedFileUpdater openSoon(Opening opening) throws IOException {
    List<StripedFileUpdater> opened = new ArrayList<>();
    Await.until(
        "open " + path,
        OPEN_TIMEOUT,
        () -> {
          try {
            opened.add(opening.open());
            return Optional.empty();
          } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
          }
        });
    return opened.get(0);
  }

  /** Reads cells at the end, in a session and by a client. */
  void readAll(Opening opening, FileSystem reader, List<Integer> cells) throws IOException {
    LastReads reads = new LastReads();
    try (StripedFileUpdater opened = openSoon(opening)) {
      for (int cell : cells) {
        reads.read(client -> read(opened, client, cell));
      }
    }
    readAll(reads, reader, cells);
  }

  /** Reads cells at the end by a client. */
  void readAll(FileSystem reader, List<Integer> cells) throws IOException {
    readAll(new LastReads(), reader, cells);
  }

  private void readAll(LastReads reads, FileSystem reader, List<Integer> cells) throws IOException {
    for (int cell : cells) {
      reads.read(client -> read(reader, client, cell));
    }
  }

  /**
   * Has the parity of all stripes computed and compared.
   *
   * @return a line that says how many are right
   */
  String verifyParity() throws IOException, Workload.WrongException {
    AdminCommand admin = new AdminCommand(site.conf());
    AdminCommand.Answer[] answer = new AdminCommand.Answer[1];
    Await.until(
        "verify " + path,
        VERIFY_TIMEOUT,
        () -> {
          answer[0] = admin.run(line -> {}, "ecupdate -verify %s -json", path);
          return answer[0].json().filter(json -> json.has("right")).isPresent()
              ? Optional.empty()
              : Optional.of(answer[0].err());
        });
    JsonNode doc = answer[0].requireJson();
    if (!doc.path("right").asBoolean()) {
      throw new Workload.WrongException("ecupdate -verify: parity is wrong: " + doc);
    }
    return "ecupdate -verify: parity of " + doc.path("stripes").asLong() + " stripes is right";
  }

  /** A session whose close fails ends with its lease; without a cache nothing is lost with it. */
  static void closeQuietly(StripedFileUpdater session) {
    try {
      session.close();
    } catch (IOException e) {
      System.getLogger(CellFile.class.getName())
          .log(System.Logger.Level.DEBUG, "A session was not closed", e);
    }
  }
}
