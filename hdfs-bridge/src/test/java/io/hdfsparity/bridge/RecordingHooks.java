/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * Real hooks that write down what they are told, with what they saw in the file system at that
 * moment. Hadoop makes them by class name, so a test reaches them by the DataNode's configuration
 * key {@link #TEST_KEY}.
 */
public final class RecordingHooks implements DatasetHooks {
  /** Names the test's {@link Script}. */
  public static final String TEST_KEY = "bridge.test.script";

  private static final Map<String, Script> SCRIPTS = new ConcurrentHashMap<>();

  /** Names the storage of a replica whose sender has named none. */
  @FunctionalInterface
  public interface Chooser {
    Optional<String> choose(RecordingHooks hooks, ExtendedBlock block) throws IOException;
  }

  /** What a test does while a replica waits to be finalized. */
  @FunctionalInterface
  public interface Finishing {
    void run(RecordingHooks hooks, Event event) throws IOException;
  }

  /** What the hooks of all DataNodes of a test do, and what they were told. */
  public static final class Script {
    public final List<Event> events = new CopyOnWriteArrayList<>();
    public final List<RecordingHooks> instances = new CopyOnWriteArrayList<>();
    public final Set<String> failing = ConcurrentHashMap.newKeySet();
    public volatile boolean packets;
    public volatile boolean limbo;
    public volatile boolean stockVolumes;

    /** Whether volumes come and go: they are in no pairs then. */
    public volatile boolean hotSwap;

    public volatile Chooser chooser = (hooks, block) -> Optional.empty();

    public volatile Finishing finishing = (hooks, event) -> {};

    /** Storages that were named for replicas to be made. */
    public final List<String> named = new CopyOnWriteArrayList<>();

    public List<String> kinds(long blockId, String storageId) {
      return events.stream()
          .filter(e -> e.blockId == blockId && e.storageId.equals(storageId))
          .map(e -> e.kind)
          .toList();
    }

    public List<Event> of(long blockId) {
      return events.stream().filter(e -> e.blockId == blockId).toList();
    }

    void check(String kind) throws IOException {
      if (failing.contains(kind)) {
        throw new IOException("scripted failure of " + kind);
      }
    }
  }

  /**
   * One call. {@code bytes} is the length or maximum it carried, {@code onDisk} the block file's
   * length then or -1.
   */
  public record Event(
      String kind,
      String storageId,
      long blockId,
      long generationStamp,
      long bytes,
      File file,
      long onDisk,
      boolean metaThere) {
    /** The directory of the block pool slice in which the file lay. */
    public String area() {
      for (String area : List.of("finalized", "rbw", "tmp", "trash")) {
        if (file != null && file.getPath().contains(File.separator + area)) {
          return area;
        }
      }
      return "";
    }
  }

  public static Script script(String name) {
    return SCRIPTS.computeIfAbsent(name, n -> new Script());
  }

  public final Set<String> volumes = ConcurrentHashMap.newKeySet();
  public volatile DataNode datanode;
  public volatile DatasetAccess access;
  public volatile boolean closed;
  public volatile String startedPool;
  public volatile int replicasAtStart = -1;
  private Script script;

  @Override
  public void open(DataNode dn, DatasetAccess dataset, Configuration conf) throws IOException {
    script = script(conf.get(TEST_KEY));
    script.instances.add(this);
    datanode = dn;
    access = dataset;
    script.check("open");
  }

  @Override
  public boolean pairsVolumes() {
    return script == null || !script.hotSwap; // it is asked before open, too
  }

  @Override
  public void added(String storageId) {
    script.events.add(new Event("added", storageId, 0, 0, 0, null, -1, false));
  }

  @Override
  public VolumeHooks volume(String storageId, File root) throws IOException {
    script.check("volume");
    volumes.add(storageId);
    return script.stockVolumes ? null : new Volume(storageId, root);
  }

  @Override
  public Optional<String> storageFor(Optional<String> named, ExtendedBlock block)
      throws IOException {
    named.ifPresent(script.named::add);
    return named.isPresent() ? Optional.empty() : script.chooser.choose(this, block);
  }

  @Override
  public void started(String blockPoolId) throws IOException {
    script.check("started");
    startedPool = blockPoolId;
    replicasAtStart = volumes.stream().mapToInt(v -> access.replicas(v).size()).sum();
  }

  @Override
  public Set<String> widenFailure(Set<String> storageIds) {
    Set<String> all = new HashSet<>(storageIds);
    all.addAll(volumes);
    return all;
  }

  @Override
  public void failed(Set<String> storageIds) {
    storageIds.forEach(id -> script.events.add(new Event("failed", id, 0, 0, 0, null, -1, false)));
  }

  @Override
  public boolean toleratesVolumeFailures() {
    return true;
  }

  @Override
  public void close() {
    closed = true;
  }

  private final class Volume implements VolumeHooks {
    private final String storageId;
    private final File limboDir;

    Volume(String storageId, File root) {
      this.storageId = storageId;
      this.limboDir = new File(root, "limbo");
    }

    private Event event(String kind, long blockId, long stamp, long bytes, File block, File meta) {
      return new Event(
          kind,
          storageId,
          blockId,
          stamp,
          bytes,
          block,
          block == null ? -1 : block.length(),
          meta != null && meta.exists());
    }

    private void note(String kind, long blockId, long stamp, long bytes, File block, File meta)
        throws IOException {
      script.events.add(event(kind, blockId, stamp, bytes, block, meta));
      script.check(kind);
    }

    @Override
    public void beforeFinalizing(
        String pool, long blockId, long stamp, File block, File meta, long bytes)
        throws IOException {
      script.finishing.run(
          RecordingHooks.this, event("beforeFinalizing", blockId, stamp, bytes, block, meta));
    }

    @Override
    public void finalizeFailed(String pool, long blockId) {
      script.events.add(new Event("finalizeFailed", storageId, blockId, 0, 0, null, -1, false));
    }

    @Override
    public void reserve(String pool, long blockId, long maxBytes) throws IOException {
      note("reserve", blockId, 0, maxBytes, null, null);
    }

    @Override
    public void reserveFailed(String pool, long blockId) {
      script.events.add(new Event("reserveFailed", storageId, blockId, 0, 0, null, -1, false));
    }

    @Override
    public void finalizing(String pool, long blockId, long stamp, File block, File meta, long bytes)
        throws IOException {
      note("finalizing", blockId, stamp, bytes, block, meta);
    }

    @Override
    public void reopening(String pool, long blockId, File block, File meta, long maxBytes)
        throws IOException {
      note("reopening", blockId, 0, maxBytes, block, meta);
    }

    @Override
    public void reopenFailed(String pool, long blockId) {
      script.events.add(new Event("reopenFailed", storageId, blockId, 0, 0, null, -1, false));
    }

    @Override
    public boolean wantsWrites() {
      return script.packets;
    }

    @Override
    public void written(String pool, long blockId, long stamp, File block, File meta, long bytes)
        throws IOException {
      note("written", blockId, stamp, bytes, block, meta);
    }

    @Override
    public void truncating(String pool, long blockId, File block, File meta, long newBytes)
        throws IOException {
      note("truncating", blockId, 0, newBytes, block, meta);
    }

    @Override
    public boolean removing(String pool, File file) throws IOException {
      boolean meta = file.getName().endsWith(".meta");
      note(meta ? "removingMeta" : "removing", idOf(file), 0, 0, file, null);
      if (script.limbo) {
        Files.createDirectories(limboDir.toPath());
        Files.move(file.toPath(), new File(limboDir, file.getName()).toPath());
      }
      return script.limbo;
    }

    @Override
    public void restored(String pool, File block) throws IOException {
      note("restored", idOf(block), 0, 0, block, null);
    }

    @Override
    public void lost(String pool, long blockId) throws IOException {
      note("lost", blockId, 0, 0, null, null);
    }

    private long idOf(File file) {
      return Long.parseLong(file.getName().split("_")[1]);
    }
  }
}
