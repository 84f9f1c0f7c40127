/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.SessionOverException;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A file of RS-3-2 with three block groups, the last one short. Some of its cells are written and
 * read by several updaters, each with a session of its own, and read by Hadoop's client.
 */
final class UpdateWorkload implements Workload {
  private static final String FOLDER = "/torture/ecupdate";
  private static final String FILE = FOLDER + "/file";
  private static final String POLICY = "RS-3-2-1024k";
  private static final long BLOCK_BYTES = 1L << 20;
  private static final int DATA_UNITS = 3;
  private static final int CELLS = 1_600;

  private static final List<Integer> USED_CELLS =
      UsedCells.of(CELLS, DATA_UNITS, (int) (BLOCK_BYTES / CellContent.BYTES));

  /** Of each data unit of the first block group the first: they share parity. */
  private static final List<Integer> HOT_CELLS =
      USED_CELLS.stream()
          .filter(cell -> cell % (BLOCK_BYTES / CellContent.BYTES) == 0)
          .limit(DATA_UNITS)
          .toList();

  private static final int STOCK_READERS = 2;
  private static final long PAUSE_MS = 500;
  private static final int OPERATION_MS = 30_000;

  /** One in so many operations closes the session before. */
  private static final int REOPEN_IN = 300;

  private static final UpdaterOptions OPTIONS =
      UpdaterOptions.standard().withOperationMs(OPERATION_MS);

  private static final Duration VERIFY_TIMEOUT = Duration.ofMinutes(5);

  private final Site site;
  private final CellContent content;
  private final Contention contention;
  private final DistributedFileSystem stock;
  private final FileSystem suite;

  UpdateWorkload(Site site) throws IOException {
    this.site = site;
    this.content = CellContent.of(site.schedule().seed(), FILE);
    this.contention = Contention.of(site.schedule(), USED_CELLS, HOT_CELLS);
    this.stock = site.stockClient();
    this.suite = site.suiteClient();
  }

  private static String object(int cell) {
    return FILE + "#" + cell;
  }

  @Override
  public void prepare() throws IOException {
    Path folder = new Path(FOLDER);
    stock.mkdirs(folder);
    stock.enableErasureCodingPolicy(POLICY);
    stock.setErasureCodingPolicy(folder, POLICY);
    List<Operation> begun = new ArrayList<>();
    for (int cell : USED_CELLS) {
      begun.add(
          site.history()
              .begin("first", OperationKind.UPDATE, object(cell), WriteTag.FIRST.toString()));
    }
    try (FSDataOutputStream out = stock.createFile(new Path(FILE)).blockSize(BLOCK_BYTES).build()) {
      for (int cell = 0; cell < CELLS; cell++) {
        out.write(content.bytes(cell, WriteTag.FIRST));
      }
    }
    for (Operation each : begun) {
      site.history().acknowledge(each);
    }
  }

  @Override
  public List<Client> clients() {
    List<Client> clients = new ArrayList<>();
    for (int i = 1; i <= contention.updaters(); i++) {
      clients.add(new Updater("updater-" + i, i));
    }
    for (int i = 1; i <= STOCK_READERS; i++) {
      clients.add(new StockReader("ec-reader-" + i));
    }
    return clients;
  }

  /**
   * Writes cells and reads them; opens a new session when the old one is over, and now and then.
   */
  private final class Updater extends RandomClient {
    private final int writer;
    private long writes;
    private Optional<StripedFileUpdater> file = Optional.empty();

    Updater(String name, int writer) {
      super(site, name);
      this.writer = writer;
    }

    @Override
    public void step() throws IOException, InterruptedException {
      boolean isWrite = random.nextBoolean();
      int cell = contention.next(random);
      if (random.nextInt(REOPEN_IN) == 0) {
        end();
      }
      if (file.isEmpty() && !begin()) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        return;
      }
      try {
        if (isWrite) {
          write(file.get(), cell);
        } else {
          read(file.get(), name(), cell);
        }
      } catch (SessionOverException e) {
        end();
      }
    }

    private boolean begin() {
      try {
        file = Optional.of(open());
        return true;
      } catch (IOException refused) {
        // As is documented for a unit that is missing, and for a NameNode that is away.
        return false;
      }
    }

    private void write(StripedFileUpdater opened, int cell) throws IOException {
      WriteTag tag = new WriteTag(writer, writes++);
      Operation begun =
          site.history().begin(name(), OperationKind.UPDATE, object(cell), tag.toString());
      try {
        opened.write((long) cell * CellContent.BYTES, ByteBuffer.wrap(content.bytes(cell, tag)));
      } catch (IOException e) {
        site.history().fail(begun);
        Site.throwIfOver(e);
        return;
      }
      site.history().acknowledge(begun);
    }

    private void end() {
      file.ifPresent(UpdateWorkload::closeQuietly);
      file = Optional.empty();
    }

    @Override
    public void close() {
      end();
    }
  }

  /** A session whose close fails ends with its lease; without a cache nothing is lost with it. */
  private static void closeQuietly(StripedFileUpdater file) {
    try {
      file.close();
    } catch (IOException e) {
      System.getLogger(UpdateWorkload.class.getName())
          .log(System.Logger.Level.DEBUG, "A session was not closed", e);
    }
  }

  private StripedFileUpdater open() throws IOException {
    return FileUpdates.open(suite, new Path(FILE), contention.options(OPTIONS));
  }

  private boolean read(StripedFileUpdater opened, String client, int cell) throws IOException {
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

  /** Reads cells by Hadoop's client, each after opening the file. */
  private final class StockReader extends RandomClient {
    StockReader(String name) {
      super(site, name);
    }

    @Override
    public void step() throws IOException {
      readStock(name(), contention.next(random));
    }
  }

  private boolean readStock(String client, int cell) throws IOException {
    return site.read(
        client,
        OperationKind.STOCK_READ,
        object(cell),
        () -> {
          byte[] found = new byte[CellContent.BYTES];
          try (FSDataInputStream in = stock.open(new Path(FILE))) {
            in.readFully((long) cell * CellContent.BYTES, found);
          }
          return content.found(cell, found);
        });
  }

  @Override
  public void readAll() throws IOException {
    LastReads reads = new LastReads();
    try (StripedFileUpdater opened = openSoon()) {
      for (int cell : USED_CELLS) {
        reads.read(client -> read(opened, client, cell));
      }
    }
    for (int cell : USED_CELLS) {
      reads.read(client -> readStock(client, cell));
    }
  }

  /** A session may be refused while HDFS still rebuilds. */
  private StripedFileUpdater openSoon() throws IOException {
    StripedFileUpdater[] opened = new StripedFileUpdater[1];
    Await.until(
        "open " + FILE,
        VERIFY_TIMEOUT,
        () -> {
          try {
            opened[0] = open();
            return Optional.empty();
          } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
          }
        });
    return opened[0];
  }

  @Override
  public Set<OperationKind> expected() {
    return EnumSet.of(OperationKind.UPDATE, OperationKind.UPDATER_READ, OperationKind.STOCK_READ);
  }

  @Override
  public Optional<String> verify() throws IOException, WrongException {
    AdminCommand admin = new AdminCommand(site.conf());
    AdminCommand.Answer[] answer = new AdminCommand.Answer[1];
    Await.until(
        "verify " + FILE,
        VERIFY_TIMEOUT,
        () -> {
          answer[0] = admin.run(line -> {}, "ecupdate -verify %s -json", FILE);
          return answer[0].json().filter(json -> json.has("right")).isPresent()
              ? Optional.empty()
              : Optional.of(answer[0].err());
        });
    JsonNode doc = answer[0].requireJson();
    if (!doc.path("right").asBoolean()) {
      throw new WrongException("ecupdate -verify: parity is wrong: " + doc);
    }
    return Optional.of(
        "ecupdate -verify: parity of " + doc.path("stripes").asLong() + " stripes is right");
  }

  @Override
  public void close() throws IOException {
    stock.close();
    suite.close();
  }
}
