/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import io.hdfsparity.core.store.AtomicFiles;
import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.core.store.DirectoryListing;
import io.hdfsparity.core.store.FileByteStore;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.LstorIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files {@code lstor-<disk id>} of a directory. Stateless. */
public final class LstorFiles {
  private static final String PREFIX = "lstor-";

  /** What lies beside an Lstor and is none: an operator's wish for a new one is no Lstor either. */
  private static final List<String> BESIDE = List.of(".lock", ".want", ".tmp", ".rebuild");

  private static final String ASIDE = "unneeded-";

  private LstorFiles() {}

  /** Where an Lstor is put that nothing depends on: an administrator may delete it. */
  public static Path aside(Path lstor) {
    return lstor.resolveSibling(ASIDE + lstor.getFileName());
  }

  /**
   * Puts an Lstor aside that nothing depends on. Until somebody deletes it there, it can be brought
   * back.
   *
   * @param owner who does it, for messages
   * @param timeoutMs how long its holder is waited for
   * @throws LstorInUseException when the holder did not release it in time
   * @throws IOException when the file is no Lstor of that cluster and disk
   */
  public static void putAside(Path lstor, String clusterId, String owner, long timeoutMs)
      throws IOException {
    LstorLock lock = LstorLock.acquire(lstor, owner, timeoutMs);
    try (lock) {
      try (ByteStore store = FileByteStore.open(lstor)) {
        LstorIdentity found = Lstor.identityOf(store);
        if (!found.clusterId().equals(clusterId) || !found.diskId().equals(diskId(lstor))) {
          throw new IOException(
              "Cannot put Lstor aside: clusterId="
                  + found.clusterId()
                  + " diskId="
                  + found.diskId()
                  + ", expected "
                  + clusterId
                  + " and "
                  + diskId(lstor)
                  + ", file="
                  + lstor);
        }
      }
      AtomicFiles.rename(lstor, aside(lstor));
    }
  }

  /** Those of a directory; one that is not there yet holds none. */
  public static List<Path> in(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path file : entries(directory)) {
      String name = String.valueOf(file.getFileName());
      if (BESIDE.stream().noneMatch(name::endsWith) && Files.isRegularFile(file)) {
        found.add(file);
      }
    }
    return found;
  }

  private static List<Path> entries(Path directory) throws IOException {
    try {
      return DirectoryListing.of(directory, PREFIX + "*");
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    }
  }

  /** Whose Lstor it is. */
  public static String diskId(Path lstor) {
    return String.valueOf(lstor.getFileName()).substring(PREFIX.length());
  }
}
