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
import io.hdfsparity.localcluster.AdminCommand;
import io.hdfsparity.localcluster.Await;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.torture.history.CellContent;
import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.history.WriteTag;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;

/**
 * A file of RS-3-2 with small cells that {@code hdfs caso} puts into one order after the other,
 * while updaters change it in place in short sessions and others read it: by the suite's client,
 * which knows orders, and by Hadoop's, which the NameNode has to refuse unless the file is in its
 * own order.
 */
final class CasoWorkload implements Workload {
  private static final String FOLDER = "/torture/caso";
  private static final String FILE = FOLDER + "/file";
  private static final long BLOCK_BYTES = 1L << 20;
  private static final int DATA_UNITS = 3;
  private static final int PARITY_UNITS = 2;
  private static final int STRIPE_CELL_BYTES = 64 << 10;

  /** Of 4 KiB: 100 erasure-coded cells; three block groups, the last one short. */
  private static final int CELLS = 1_600;

  /** One cell of 4 KiB in so many is used. */
  private static final int USED_IN = 47;

  private static final List<Integer> USED_CELLS = used();

  private static final int UPDATERS = 2;
  private static final int MAX_SESSION_OPERATIONS = 12;
  private static final int MAX_PAUSE_MS = 1_500;
  private static final int OPERATION_MS = 30_000;
  private static final UpdaterOptions OPTIONS =
      UpdaterOptions.standard().withOperationMs(OPERATION_MS);

  private static final int TRACES = 3;
  private static final long REORDER_PAUSE_MS = 2_000;
  private static final Duration ALONE_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration RESTORE_TIMEOUT = Duration.ofMinutes(5);

  private final Site site;
  private final CellFile file;
  private final DistributedFileSystem stock;
  private final FileSystem suite;
  private final AdminCommand admin;

  /** One for each session; who has all has no session beside. */
  private final Semaphore sessions = new Semaphore(UPDATERS, /* fair= */ true);

  CasoWorkload(Site site) throws IOException {
    this.site = site;
    this.file = CellFile.of(site, FILE);
    this.stock = site.stockClient();
    this.suite = site.suiteClient();
    this.admin = new AdminCommand(site.conf());
  }

  private static List<Integer> used() {
    List<Integer> used = new ArrayList<>();
    for (int cell = 0; cell < CELLS; cell += USED_IN) {
      used.add(cell);
    }
    used.add(CELLS - 1);
    return List.copyOf(used);
  }

  @Override
  public void prepare() throws IOException {
    ErasureCodingPolicy wanted =
        new ErasureCodingPolicy(new ECSchema("rs", DATA_UNITS, PARITY_UNITS), STRIPE_CELL_BYTES);
    AddErasureCodingPolicyResponse added =
        stock.addErasureCodingPolicies(new ErasureCodingPolicy[] {wanted})[0];
    if (!added.isSucceed()) {
      throw new IOException("Cannot add a policy: " + added.getErrorMsg());
    }
    String policy = added.getPolicy().getName();
    Path folder = new Path(FOLDER);
    stock.mkdirs(folder);
    stock.enableErasureCodingPolicy(policy);
    stock.setErasureCodingPolicy(folder, policy);
    file.create(stock, CELLS, BLOCK_BYTES, USED_CELLS);
    CasoTrace trace =
        new CasoTrace(CELLS * CellContent.BYTES / STRIPE_CELL_BYTES, STRIPE_CELL_BYTES, DATA_UNITS);
    for (int i = 0; i < TRACES; i++) {
      Files.createDirectories(trace(i).getParent());
      Files.write(trace(i), trace.lines(site.schedule().seed() + i));
    }
  }

  private java.nio.file.Path trace(int number) {
    return new ClusterPaths(site.cluster().dir()).tmpDir("caso").resolve("trace-" + number);
  }

  @Override
  public List<Client> clients() {
    List<Client> clients = new ArrayList<>();
    for (int i = 1; i <= UPDATERS; i++) {
      clients.add(new Updater("caso-updater-" + i, i));
    }
    clients.add(new Reader("caso-reader", suite));
    clients.add(new Reader("caso-stock-reader", stock));
    clients.add(new Organizer("caso-organizer"));
    return clients;
  }

  private StripedFileUpdater open() throws IOException {
    return FileUpdates.open(suite, file.file(), OPTIONS);
  }

  /** Writes cells and reads them, in sessions of a few operations. */
  private final class Updater extends RandomClient {
    private final int writer;
    private long writes;

    Updater(String name, int writer) {
      super(site, name);
      this.writer = writer;
    }

    @Override
    public void step() throws IOException, InterruptedException {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(MAX_PAUSE_MS));
      int operations = 1 + random.nextInt(MAX_SESSION_OPERATIONS);
      sessions.acquire();
      try {
        work(operations);
      } finally {
        sessions.release();
      }
    }

    private void work(int operations) throws IOException {
      StripedFileUpdater session;
      try {
        session = open();
      } catch (IOException refused) {
        // As is documented while the file is put in another order, and for a unit that is missing.
        return;
      }
      try {
        for (int i = 0; i < operations; i++) {
          boolean isWrite = random.nextBoolean();
          int cell = USED_CELLS.get(random.nextInt(USED_CELLS.size()));
          if (isWrite) {
            file.write(session, name(), cell, new WriteTag(writer, writes++));
          } else {
            file.read(session, name(), cell);
          }
        }
      } catch (SessionOverException over) {
        // The next step opens another one.
      } finally {
        CellFile.closeQuietly(session);
      }
    }
  }

  /** Reads cells, each after opening the file. */
  private final class Reader extends RandomClient {
    private final FileSystem fs;

    Reader(String name, FileSystem fs) {
      super(site, name);
      this.fs = fs;
    }

    @Override
    public void step() throws IOException {
      file.read(fs, name(), USED_CELLS.get(random.nextInt(USED_CELLS.size())));
    }
  }

  /**
   * Puts the file in another order. It begins without a session beside; every second time sessions
   * are opened again while bytes are copied, or compared, and what they write may not be lost.
   */
  private final class Organizer extends RandomClient {
    private boolean hasSessionsBeside;

    Organizer(String name) {
      super(site, name);
    }

    @Override
    public void step() throws IOException, InterruptedException {
      TimeUnit.MILLISECONDS.sleep(REORDER_PAUSE_MS);
      Change change = Change.values()[random.nextInt(Change.values().length)];
      int trace = random.nextInt(TRACES);
      long admitBytes = 1 + random.nextLong(2L * CELLS * CellContent.BYTES);
      sessions.acquire(UPDATERS);
      AtomicBoolean isAlone = new AtomicBoolean(true);
      Consumer<String> progress =
          line -> {
            if (CasoProgress.bytes(line) >= admitBytes) {
              admitSessions(isAlone);
            }
          };
      try {
        reorder(change, trace, hasSessionsBeside ? progress : line -> {}, isAlone);
      } finally {
        admitSessions(isAlone);
      }
      hasSessionsBeside = !hasSessionsBeside;
    }

    private void admitSessions(AtomicBoolean isAlone) {
      if (isAlone.compareAndSet(true, false)) {
        sessions.release(UPDATERS);
      }
    }

    /** A session is over only when all DataNodes know: the first attempts may be refused. */
    private void reorder(Change change, int trace, Consumer<String> progress, AtomicBoolean isAlone)
        throws IOException {
      Operation begun = site.history().begin(name(), OperationKind.REORDER, FILE, change.name());
      AdminCommand.Answer[] answer = new AdminCommand.Answer[1];
      Await.ask(
          ALONE_TIMEOUT,
          () -> {
            answer[0] =
                change.takesTrace
                    ? admin.run(progress, change.command, FILE, trace(trace))
                    : admin.run(progress, change.command, FILE);
            return answer[0].exitCode() == 0 || !isAlone.get()
                ? Optional.empty()
                : Optional.of(answer[0].err());
          });
      if (answer[0].exitCode() == 0) {
        site.history().acknowledge(begun);
      } else {
        site.history().fail(begun);
        System.getLogger(CasoWorkload.class.getName())
            .log(System.Logger.Level.DEBUG, "The order stays: {0}", answer[0].err());
      }
    }
  }

  /** What is done with the order; organizing is drawn most often. */
  private enum Change {
    ORGANIZE("caso -organize %s -trace %s -json", true),
    ORGANIZE_AGAIN("caso -organize %s -trace %s -json", true),
    REORGANIZE("caso -reorganize %s -trace %s -json", true),
    REWRITE("caso -rewrite %s -json", false),
    RESTORE("caso -restore %s -json", false);

    private final String command;
    private final boolean takesTrace;

    Change(String command, boolean takesTrace) {
      this.command = command;
      this.takesTrace = takesTrace;
    }
  }

  /** In the order that the file has been left in. */
  @Override
  public void readAll() throws IOException {
    file.readAll(this::open, suite, USED_CELLS);
  }

  @Override
  public Set<OperationKind> expected() {
    return EnumSet.of(
        OperationKind.UPDATE,
        OperationKind.UPDATER_READ,
        OperationKind.STOCK_READ,
        OperationKind.REORDER);
  }

  /** Parity in the order that it is in, then all bytes in its own order, by Hadoop's client. */
  @Override
  public Optional<String> verify() throws IOException, WrongException {
    String parity = file.verifyParity();
    Await.until(
        "restore " + FILE,
        RESTORE_TIMEOUT,
        () -> {
          AdminCommand.Answer answer = admin.run(line -> {}, "caso -restore %s -json", FILE);
          return answer.exitCode() == 0 ? Optional.empty() : Optional.of(answer.err());
        });
    file.readAll(stock, USED_CELLS);
    return Optional.of(parity + "; caso -restore has put " + FILE + " in its own order");
  }

  @Override
  public void close() throws IOException {
    stock.close();
    suite.close();
  }
}
