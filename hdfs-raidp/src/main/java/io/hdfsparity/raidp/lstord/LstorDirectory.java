/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import io.hdfsparity.core.check.Attempts;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.raidp.config.RaidpKey;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.RaidpLstorProtocol;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.LstorInfo;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All Lstors in the daemon's directories: the files {@code lstor-<disk id>}. New ones are found by
 * {@link #rescan}; those that were put aside are not served any more. What a caller sends is only
 * ever looked up, never made part of a path. Thread-safe.
 */
final class LstorDirectory implements RaidpLstorProtocol, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LstorDirectory.class);

  private final Set<Path> dirs = new CopyOnWriteArraySet<>();
  private final long leaseMs;
  private final Clock clock;
  private final Listing listing;

  /** Directories that could not be read by the last look, and why. */
  private final Map<Path, String> unreadable = new ConcurrentHashMap<>();

  private final Map<String, ServedLstor> lstors = new ConcurrentHashMap<>();

  /** Finds Lstor files. */
  interface Listing {
    List<Path> in(Path directory) throws IOException;
  }

  LstorDirectory(List<Path> dirs, long leaseMs, Clock clock) {
    this(dirs, leaseMs, clock, LstorFiles::in);
  }

  LstorDirectory(List<Path> dirs, long leaseMs, Clock clock, Listing listing) {
    this.listing = listing;
    this.dirs.addAll(dirs);
    this.leaseMs = leaseMs;
    this.clock = clock;
  }

  /**
   * Looks into these directories as well. Directories of before stay: their Lstors may be needed.
   *
   * @return those that are new
   */
  List<Path> add(Collection<Path> more) {
    return more.stream().filter(dirs::add).toList();
  }

  /**
   * Looks for Lstor files that have appeared. A directory that is not there yet holds none. One
   * that cannot be read is left out, and looked at again the next time.
   *
   * @throws IOException when an Lstor that was put aside could not be closed
   */
  void rescan() throws IOException {
    Attempts attempts = new Attempts();
    for (ServedLstor lstor : lstors.values()) {
      if (lstor.isPutAside()) {
        lstors.remove(lstor.diskId());
        attempts.run(lstor::close);
      }
    }
    dirs.forEach(this::look);
    attempts.throwFirst();
  }

  private void look(Path dir) {
    try {
      for (Path file : listing.in(dir)) {
        String diskId = LstorFiles.diskId(file);
        lstors.computeIfAbsent(diskId, id -> new ServedLstor(file, id, leaseMs, clock));
      }
      if (unreadable.remove(dir) != null) {
        LOG.info("Lstors are found in a directory again: {}", dir);
      }
    } catch (IOException e) {
      if (!e.toString().equals(unreadable.put(dir, e.toString()))) {
        LOG.warn("Lstors of a directory that cannot be read are left out: {}", dir, e);
      }
    }
  }

  /**
   * Fails if the last look could read no directory.
   *
   * @throws IOException that names them
   */
  void requireReadable() throws IOException {
    if (!dirs.isEmpty() && unreadable.keySet().containsAll(dirs)) {
      throw new IOException(
          "Cannot look for Lstors: failures="
              + unreadable
              + ", expected at least one directory of "
              + RaidpKey.LSTOR_DIRS.key()
              + " that can be read");
    }
  }

  Collection<ServedLstor> all() {
    return List.copyOf(lstors.values());
  }

  /** Lets go of all that is due; continues after a failure and throws it at the end. */
  void yieldIfDue() throws IOException {
    forAll(ServedLstor::yieldIfDue);
  }

  @Override
  public LstorInfo info(String diskId) throws IOException {
    return lstor(diskId).info();
  }

  @Override
  public List<SlotEntry> entries(String diskId, OptionalInt frameIndex) throws IOException {
    return lstor(diskId).entries(frameIndex);
  }

  @Override
  public long takes(String diskId) throws IOException {
    return lstor(diskId).takes();
  }

  @Override
  public byte[] readParity(String diskId, ImageKind kind, long position, int count)
      throws IOException {
    return lstor(diskId)
        .readParity(kind == ImageKind.DATA ? ParityKind.DATA : ParityKind.META, position, count);
  }

  @Override
  public void close() throws IOException {
    forAll(ServedLstor::close);
  }

  private ServedLstor lstor(String diskId) throws IOException {
    ServedLstor lstor = lstors.get(diskId);
    if (lstor == null) {
      throw new UnknownLstorException(
          "Cannot serve Lstor: disk="
              + diskId
              + ", expected one of "
              + new TreeSet<>(lstors.keySet()));
    }
    return lstor;
  }

  private interface Action {
    void on(ServedLstor lstor) throws IOException;
  }

  private void forAll(Action action) throws IOException {
    Attempts attempts = new Attempts();
    for (ServedLstor lstor : lstors.values()) {
      attempts.run(() -> action.on(lstor));
    }
    attempts.throwFirst();
  }
}
