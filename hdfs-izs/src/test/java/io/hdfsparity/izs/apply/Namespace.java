/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.apply;

import io.hdfsparity.bridge.level.ParityDoubts;
import io.hdfsparity.bridge.swap.FileAttributes;
import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.StoredBlock;
import io.hdfsparity.bridge.swap.StoredFile;
import io.hdfsparity.bridge.swap.SwapAnswer;
import io.hdfsparity.bridge.swap.SwapCondition;
import io.hdfsparity.bridge.swap.SwapRefusal;
import io.hdfsparity.bridge.swap.SwapRules;
import java.io.FileNotFoundException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A namespace as HDFS has it, as far as it matters to a move: names, inodes, blocks, leases. */
final class Namespace {
  /** An inode. */
  static final class Inode {
    final long id;
    final String form;
    final StringBuilder bytes = new StringBuilder();
    long block;
    long generation = 1;
    long modifiedMs;
    int mode = 0644;
    boolean open;
    boolean shared;
    int live = 2;

    private Inode(long id, String form) {
      this.id = id;
      this.form = form;
      this.block = id * 1000;
    }
  }

  final Map<String, Inode> names = new TreeMap<>();
  private long lastId = 100;
  private long clockMs = 1_000_000;

  Inode create(String path, String form, String bytes) {
    Inode made = new Inode(++lastId, form);
    made.bytes.append(bytes);
    made.modifiedMs = ++clockMs;
    names.put(path, made);
    return made;
  }

  /** What an append and its close do: another generation of the last block, another time. */
  void append(Inode file, String bytes) {
    file.bytes.append(bytes);
    file.generation++;
    file.modifiedMs = ++clockMs;
  }

  /** In place, to fewer bytes; recovery gives the last block another generation. */
  void truncate(Inode file, int length) {
    file.bytes.setLength(length);
    file.generation++;
    file.modifiedMs = ++clockMs;
  }

  Inode file(String path) throws FileNotFoundException {
    Inode found = names.get(path);
    if (found == null) {
      throw new FileNotFoundException(path);
    }
    return found;
  }

  Inode byId(long id) throws FileNotFoundException {
    for (Inode each : names.values()) {
      if (each.id == id) {
        return each;
      }
    }
    throw new FileNotFoundException("inode " + id);
  }

  /** Of every file. */
  StoredFile.Pairing pairing = new StoredFile.Pairing(false, false, false);

  StoredFile describe(String path) throws FileNotFoundException {
    Inode file = file(path);
    return new StoredFile(
        path,
        file.id,
        file.form,
        List.of(
            new StoredBlock(
                file.block,
                file.generation,
                file.bytes.length(),
                !file.open,
                file.live,
                2,
                0,
                ParityDoubts.Doubt.NONE)),
        /* updatedMs= */ 0,
        new FileAttributes("u", "g", file.mode, "", Map.of(), 0, file.modifiedMs),
        new StoredFile.Holds(file.open, file.shared, false, Optional.empty()),
        pairing);
  }

  /** As the NameNode: check and rename with nothing between. */
  SwapAnswer swap(FileIdentity source, FileIdentity copy) throws FileNotFoundException {
    Inode at = names.get(source.path());
    if (!names.containsKey(copy.path())) {
      return at != null && at.id == copy.inodeId()
          ? SwapAnswer.SWAPPED
          : SwapAnswer.refused(SwapRefusal.CHANGED.because("copy", "none", "", source.path()));
    }
    SwapRules rules = new SwapRules(source, copy, SwapCondition.NONE);
    if (rules.allows(describe(source.path()), describe(copy.path()))) {
      names.put(source.path(), file(copy.path()));
      names.remove(copy.path());
    }
    return rules.answer();
  }
}
