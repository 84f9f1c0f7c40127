/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.core.check.Attempts;
import io.hdfsparity.localcluster.AdminCommand;
import io.hdfsparity.localcluster.Await;
import io.hdfsparity.localcluster.FullReports;
import io.hdfsparity.localcluster.torture.check.FileLength;
import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.history.StreamContent;
import io.hdfsparity.localcluster.torture.plan.FaultKind;
import io.hdfsparity.localcluster.torture.plan.Feature;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Files that are created, appended to where that is possible, and read as a whole by Hadoop's
 * client: plain ones, protected ones, or ones of codec izs whose level changes. A file whose write
 * has failed is not written again.
 */
final class FileWorkload implements Workload {
  private static final int WRITERS = 2;
  private static final int READERS = 2;
  private static final int REPLICAS = 3;
  private static final long MAX_FILE_BYTES = 512 << 10;
  private static final int MAX_WRITE_BYTES = 96 << 10;

  /** Of codec izs: more than a stripe, for one file in so many. */
  private static final int MAX_STRIPED_BYTES = 6 << 20;

  private static final int STRIPED_IN = 32;
  private static final int BUFFER_BYTES = 64 << 10;
  private static final long PAUSE_MS = 100;

  /** Of a writer that deletes: so many files stay, for readers and for what is to be recovered. */
  private static final int KEPT_FILES = 30;

  /** Such a writer begins a new file with one write in so many. */
  private static final int NEW_FILE_IN = 2;

  private static final String IZS_POLICY = "IZS-4-2-1024k";
  private static final int MIN_LEVEL = 2;
  private static final long LEVEL_PAUSE_SECONDS = 12;
  private static final Duration LEASE_TIMEOUT = Duration.ofMinutes(3);
  private static final Duration CHECK_TIMEOUT = Duration.ofMinutes(5);

  /** Parity that is wrong for so long stays wrong. */
  private static final Duration LASTING = Duration.ofSeconds(30);

  private final Site site;
  private final Feature feature;
  private final String folder;
  private final DistributedFileSystem stock;
  private final FileSystem writing;

  /** Files of which a write has begun. */
  private final List<String> begun = new CopyOnWriteArrayList<>();

  /** Those of which a write was acknowledged. */
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

  /**
   * @param feature any but ecupdate
   */
  FileWorkload(Site site, Feature feature) throws IOException {
    this.site = site;
    this.feature = feature;
    this.folder = "/torture/" + feature.label();
    this.stock = site.stockClient();
    this.writing = feature == Feature.STOCK ? stock : site.suiteClient();
  }

  @Override
  public void prepare() throws IOException {
    Path path = new Path(folder);
    stock.mkdirs(path);
    if (feature == Feature.RAIDP) {
      site.cluster().applyLayout();
      site.cluster().protect(folder);
    } else if (feature == Feature.IZS) {
      stock.enableErasureCodingPolicy(IZS_POLICY);
      stock.setErasureCodingPolicy(path, IZS_POLICY);
    }
  }

  @Override
  public List<Client> clients() {
    List<Client> clients = new ArrayList<>();
    for (int i = 1; i <= WRITERS; i++) {
      clients.add(new Writer(feature.label() + "-writer-" + i));
    }
    for (int i = 1; i <= READERS; i++) {
      clients.add(new Reader(feature.label() + "-reader-" + i));
    }
    if (feature == Feature.IZS) {
      clients.add(new LevelChanger());
    }
    return clients;
  }

  /**
   * Bytes of deleted blocks stay in the parity of two disks for a while, which matters when both
   * fail. Without such faults nothing is deleted, as ever.
   */
  private boolean deletes() {
    return feature == Feature.RAIDP && site.schedule().has(FaultKind.DISK_PAIR_FAIL);
  }

  private StreamContent content(String file) {
    return StreamContent.of(site.schedule().seed(), file);
  }

  /** Creates files and appends to them. */
  private final class Writer extends RandomClient {
    private Optional<String> file = Optional.empty();
    private int files;
    private long lengthBytes;
    private final Deque<String> written = new ArrayDeque<>();

    Writer(String name) {
      super(site, name);
    }

    @Override
    public void step() throws IOException {
      int bytes = 1 + random.nextInt(maxBytes());
      boolean creates =
          file.isEmpty()
              || lengthBytes + bytes > MAX_FILE_BYTES
              || feature == Feature.IZS
              || (deletes() && random.nextInt(NEW_FILE_IN) == 0);
      if (creates) {
        lengthBytes = 0;
      }
      String path = creates ? folder + "/" + name() + "-" + files++ : file.get();
      Operation write =
          site.history()
              .begin(name(), OperationKind.FILE_WRITE, path, String.valueOf(lengthBytes + bytes));
      begun.add(path);
      try (FSDataOutputStream out = creates ? create(path) : writing.append(new Path(path))) {
        out.write(content(path).bytes(lengthBytes, bytes));
      } catch (IOException e) {
        site.history().fail(write);
        file = Optional.empty();
        return;
      }
      site.history().acknowledge(write);
      acknowledged.add(path);
      file = Optional.of(path);
      lengthBytes += bytes;
      if (creates) {
        written.add(path);
        if (deletes() && written.size() > KEPT_FILES) {
          delete(written.remove());
        }
      }
    }

    /** What cannot be deleted now is left, and is not read any more. */
    private void delete(String path) throws IOException {
      begun.remove(path);
      acknowledged.remove(path);
      Operation delete = site.history().begin(name(), OperationKind.FILE_DELETE, path, "");
      try {
        writing.delete(new Path(path), /* recursive= */ false);
      } catch (IOException e) {
        site.history().fail(delete);
        return;
      }
      site.history().acknowledge(delete);
    }

    private int maxBytes() {
      return feature == Feature.IZS && random.nextInt(STRIPED_IN) == 0
          ? MAX_STRIPED_BYTES
          : MAX_WRITE_BYTES;
    }

    private FSDataOutputStream create(String path) throws IOException {
      return feature == Feature.IZS
          ? writing.create(new Path(path), /* overwrite= */ false)
          : writing.create(
              new Path(path),
              /* overwrite= */ false,
              BUFFER_BYTES,
              (short) REPLICAS,
              site.cluster().spec().blockBytes());
    }
  }

  /** Reads any file of which a write has begun. */
  private final class Reader extends RandomClient {
    Reader(String name) {
      super(site, name);
    }

    @Override
    public void step() throws IOException, InterruptedException {
      int count = begun.size();
      if (count == 0) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        return;
      }
      read(name(), begun.get(random.nextInt(count)));
    }
  }

  /** Changes the level of all files, up and down. */
  private final class LevelChanger implements Client {
    private int level = MIN_LEVEL;

    @Override
    public String name() {
      return "izs-levels";
    }

    @Override
    public void step() throws IOException, InterruptedException {
      TimeUnit.SECONDS.sleep(LEVEL_PAUSE_SECONDS);
      level = level == MIN_LEVEL ? MIN_LEVEL + 1 : MIN_LEVEL;
      Operation change =
          site.history().begin(name(), OperationKind.LEVEL, folder, String.valueOf(level));
      AdminCommand.Answer answer =
          new AdminCommand(site.conf())
              .run(line -> {}, "izs -setLevel %s %s -R -json", level, folder);
      if (answer.exitCode() == 0) {
        site.history().acknowledge(change);
      } else {
        site.history().fail(change);
      }
    }

    @Override
    public void close() {}
  }

  private boolean read(String client, String path) throws IOException {
    return site.read(
        client,
        OperationKind.FILE_READ,
        path,
        () -> {
          try (FSDataInputStream in = writingOrStock().open(new Path(path))) {
            return compare(content(path), in).toString();
          }
        });
  }

  /** Hadoop's client decodes one lost data unit of codec izs; the suite's decodes two. */
  private FileSystem writingOrStock() {
    return feature == Feature.IZS ? writing : stock;
  }

  private static FileLength compare(StreamContent content, FSDataInputStream in)
      throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    OptionalLong wrong = OptionalLong.empty();
    long position = 0;
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      if (wrong.isEmpty()) {
        wrong = content.firstWrong(position, buffer, count);
      }
      position += count;
    }
    return new FileLength(position, wrong);
  }

  @Override
  public void readAll() throws IOException {
    Attempts attempts = new Attempts();
    LastReads reads = new LastReads();
    for (String path : acknowledged) {
      attempts.run(
          () ->
              Await.until("recover the lease of " + path, LEASE_TIMEOUT, () -> leaseMissing(path)));
      reads.read(client -> read(client, path));
    }
    attempts.throwFirst();
  }

  private Optional<String> leaseMissing(String path) {
    try {
      return stock.recoverLease(new Path(path))
          ? Optional.empty()
          : Optional.of("it is being recovered");
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Set<OperationKind> expected() {
    return EnumSet.of(OperationKind.FILE_WRITE, OperationKind.FILE_READ);
  }

  @Override
  public Optional<String> verify() throws IOException, WrongException {
    return switch (feature) {
      case RAIDP -> Optional.of(verifyRaidp(new AdminCommand(site.conf())));
      case IZS -> Optional.of(verifyIzs(new AdminCommand(site.conf())));
      case STOCK, ECUPDATE, CASO -> Optional.empty();
    };
  }

  /** Waits for what heals, with full block reports at the latest, not for wrong parity. */
  private String verifyRaidp(AdminCommand admin) throws IOException, WrongException {
    JsonNode[] last = new JsonNode[1];
    AtomicReference<Optional<String>> lasting = new AtomicReference<>(Optional.empty());
    LastingMismatches mismatches = new LastingMismatches(LASTING);
    Optional<String> wrong =
        Await.ask(
            CHECK_TIMEOUT,
            () -> {
              AdminCommand.Answer answer = admin.run(line -> {}, "raidp -fsck -json");
              last[0] = answer.requireJson();
              JsonNode findings = last[0].path("findings");
              lasting.set(mismatches.after(findings, System.nanoTime()));
              boolean isHealthy = answer.exitCode() == 0 && last[0].path("healthy").asBoolean();
              if (isHealthy || lasting.get().isPresent()) {
                return Optional.empty();
              }
              FullReports.trigger(stock);
              return Optional.of(findings.toString());
            });
    if (lasting.get().isPresent()) {
      throw new WrongException("raidp -fsck: parity is wrong: " + lasting.get().get());
    }
    if (wrong.isPresent()) {
      throw new WrongException("raidp -fsck: " + wrong.get());
    }
    return "raidp -fsck: healthy, " + last[0].path("blocks").asLong() + " blocks";
  }

  /** Waits for units that cannot be read yet; parity that is wrong stays wrong. */
  private String verifyIzs(AdminCommand admin) throws IOException, WrongException {
    JsonNode[] last = new JsonNode[1];
    Await.until(
        "verify " + folder,
        CHECK_TIMEOUT,
        () -> {
          AdminCommand.Answer answer = admin.run(line -> {}, "izs -verify %s -R -json", folder);
          if (answer.json().isEmpty()) {
            return Optional.of(answer.err());
          }
          last[0] = answer.requireJson();
          boolean isCompared = last[0].path("notCompared").asLong() == 0;
          return isCompared || last[0].path("wrong").asLong() > 0
              ? Optional.empty()
              : Optional.of(last[0].path("groups").toString());
        });
    if (last[0].path("wrong").asLong() > 0) {
      throw new WrongException("izs -verify: parity is wrong: " + last[0].path("groups"));
    }
    return "izs -verify: parity of " + last[0].path("fitting").asLong() + " block groups is right";
  }

  @Override
  public void close() throws IOException {
    stock.close();
    writing.close();
  }
}
