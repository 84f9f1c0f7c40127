/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import io.hdfsparity.bridge.hold.FileHold;
import io.hdfsparity.bridge.swap.StoredFile.Holds;
import io.hdfsparity.bridge.swap.StoredFile.Pairing;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Files for tests of swaps, as a NameNode could hold them. Stateless. */
public final class StoredFiles {
  /** Nothing keeps the file as it is. */
  public static final Holds NO_HOLDS = new Holds(false, false, false, Optional.empty());

  /** A feature updates the file. */
  public static final FileHold UPDATING =
      new FileHold("updating", "updateSession", "7", "close it");

  private StoredFiles() {}

  /** A file of one block below the root, named by its inode, that nothing holds. */
  public static StoredFile file(
      long inodeId, String form, StoredBlock block, FileAttributes attributes) {
    return new StoredFile(
        "/f" + inodeId,
        inodeId,
        form,
        List.of(block),
        /* updatedMs= */ 0,
        attributes,
        NO_HOLDS,
        new Pairing(false, false, false));
  }

  /** Attributes that files have in common, with extended attributes and a modification time. */
  public static FileAttributes attributes(Map<String, String> xattrs, long modifiedMs) {
    return new FileAttributes("mary", "staff", 0640, "", xattrs, 0, modifiedMs);
  }

  /** The same file with holds. */
  public static StoredFile held(StoredFile file, Holds holds) {
    return new StoredFile(
        file.path(),
        file.inodeId(),
        file.form(),
        file.blocks(),
        file.updatedMs(),
        file.attributes(),
        holds,
        file.pairing());
  }

  /** The same file after an update in place, which changed no block and no time. */
  public static StoredFile updated(StoredFile file, long updatedMs) {
    return new StoredFile(
        file.path(),
        file.inodeId(),
        file.form(),
        file.blocks(),
        updatedMs,
        file.attributes(),
        file.holds(),
        file.pairing());
  }

  /** The same file with a mark of RAIDP's of its own. */
  public static StoredFile marked(StoredFile file) {
    return new StoredFile(
        file.path(),
        file.inodeId(),
        file.form(),
        file.blocks(),
        file.updatedMs(),
        file.attributes(),
        file.holds(),
        new Pairing(true, true, /* isMarked= */ true));
  }

  /** The same file, somebody writing it. */
  public static StoredFile open(StoredFile file) {
    return held(file, new Holds(true, false, false, Optional.empty()));
  }

  /** The same file in a snapshot. */
  public static StoredFile shared(StoredFile file) {
    return held(file, new Holds(false, true, false, Optional.empty()));
  }

  /** The same file in an encryption zone. */
  public static StoredFile encrypted(StoredFile file) {
    return held(file, new Holds(false, false, true, Optional.empty()));
  }

  /** The same file under {@link #UPDATING}. */
  public static StoredFile updating(StoredFile file) {
    return held(file, new Holds(false, false, false, Optional.of(UPDATING)));
  }
}
