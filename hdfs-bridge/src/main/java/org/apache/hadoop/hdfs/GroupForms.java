/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * The forms of block groups that a client has lately learned from the NameNode. A group's located
 * block does not say it, only the answer that it came with; Hadoop's streams keep the block and
 * drop the answer. A group has one form as long as it lives: the number of parity units may change
 * in place, nothing else. Of a group of an encrypted file, which is never rewritten in place, the
 * file's initialization vector is known too: no other file has it, and new keys of the zone leave
 * it. Thread-safe.
 */
final class GroupForms {
  /** A few megabytes; what is forgotten is asked for again. */
  private static final int MOST = 20_000;

  private final Map<BlockName, KnownGroup> byGroup =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<BlockName, KnownGroup> eldest) {
          return size() > MOST;
        }
      };

  /** Where the bytes of a group are in its data units, and what its parity units are. */
  record Form(String codec, int dataUnits, int cellBytes) {
    static Form of(ErasureCodingPolicy policy) {
      return new Form(policy.getCodecName(), policy.getNumDataUnits(), policy.getCellSize());
    }
  }

  /**
   * What is known of a group.
   *
   * @param vector empty if it was not in any answer: below /.reserved/raw it never is
   */
  private record KnownGroup(Form form, Optional<String> vector) {}

  /** Initialization vector of a file, in hexadecimal; empty if the answer has none. */
  static Optional<String> vectorOf(LocatedBlocks answer) {
    return Optional.ofNullable(answer.getFileEncryptionInfo())
        .map(info -> HexFormat.of().formatHex(info.getIV()));
  }

  /** Remembers an answer of the NameNode; null, as for a file that does not exist, says nothing. */
  void note(LocatedBlocks answer) {
    if (answer == null || answer.getErasureCodingPolicy() == null) {
      return;
    }
    Form form = Form.of(answer.getErasureCodingPolicy());
    Optional<String> vector = vectorOf(answer);
    synchronized (byGroup) {
      for (LocatedBlock group : answer.getLocatedBlocks()) {
        put(BlockName.of(group), form, vector);
      }
      LocatedBlock last = answer.getLastLocatedBlock();
      if (last != null) {
        put(BlockName.of(last), form, vector);
      }
    }
  }

  /** Under the lock. */
  private void put(BlockName group, Form form, Optional<String> vector) {
    byGroup.merge(
        group,
        new KnownGroup(form, vector),
        (before, now) -> new KnownGroup(now.form, now.vector.or(() -> before.vector)));
  }

  /** The form of a group; none if it is not known any more. */
  Optional<Form> of(BlockName group) {
    synchronized (byGroup) {
      return Optional.ofNullable(byGroup.get(group)).map(KnownGroup::form);
    }
  }

  /** The initialization vector of a group's file; none if it is not known. */
  Optional<String> vectorOf(BlockName group) {
    synchronized (byGroup) {
      return Optional.ofNullable(byGroup.get(group)).flatMap(KnownGroup::vector);
    }
  }
}
