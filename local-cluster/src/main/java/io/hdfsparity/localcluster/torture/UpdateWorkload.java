/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.SessionOverException;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.localcluster.torture.history.CellContent;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.history.WriteTag;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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

  private final Site site;
  private final CellFile file;
  private final Contention contention;
  private final DistributedFileSystem stock;
  private final FileSystem suite;

  UpdateWorkload(Site site) throws IOException {
    this.site = site;
    this.file = CellFile.of(site, FILE);
    this.contention = Contention.of(site.schedule(), USED_CELLS, HOT_CELLS);
    this.stock = site.stockClient();
    this.suite = site.suiteClient();
  }

  @Override
  public void prepare() throws IOException {
    Path folder = new Path(FOLDER);
    stock.mkdirs(folder);
    stock.enableErasureCodingPolicy(POLICY);
    stock.setErasureCodingPolicy(folder, POLICY);
    file.create(stock, CELLS, BLOCK_BYTES, USED_CELLS);
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
    private Optional<StripedFileUpdater> session = Optional.empty();

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
      if (session.isEmpty() && !begin()) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        return;
      }
      try {
        if (isWrite) {
          file.write(session.get(), name(), cell, new WriteTag(writer, writes++));
        } else {
          file.read(session.get(), name(), cell);
        }
      } catch (SessionOverException e) {
        end();
      }
    }

    private boolean begin() {
      try {
        session = Optional.of(open());
        return true;
      } catch (IOException refused) {
        // As is documented for a unit that is missing, and for a NameNode that is away.
        return false;
      }
    }

    private void end() {
      session.ifPresent(CellFile::closeQuietly);
      session = Optional.empty();
    }

    @Override
    public void close() {
      end();
    }
  }

  private StripedFileUpdater open() throws IOException {
    return FileUpdates.open(suite, new Path(FILE), contention.options(OPTIONS));
  }

  /** Reads cells by Hadoop's client, each after opening the file. */
  private final class StockReader extends RandomClient {
    StockReader(String name) {
      super(site, name);
    }

    @Override
    public void step() throws IOException {
      file.read(stock, name(), contention.next(random));
    }
  }

  @Override
  public void readAll() throws IOException {
    file.readAll(this::open, stock, USED_CELLS);
  }

  @Override
  public Set<OperationKind> expected() {
    return EnumSet.of(OperationKind.UPDATE, OperationKind.UPDATER_READ, OperationKind.STOCK_READ);
  }

  @Override
  public Optional<String> verify() throws IOException, WrongException {
    return Optional.of(file.verifyParity());
  }

  @Override
  public void close() throws IOException {
    stock.close();
    suite.close();
  }
}
