/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.GroupForms.Form;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * The form that a file had when a stream of it was opened. Hadoop's streams ask for locations by
 * path, when they come to blocks that they have not asked for yet and when a replica fails, and
 * take what they are told for blocks of that form. Where the path leads to a file that was
 * rewritten in another form by then, they would read other bytes at the right place. The same holds
 * for a path that leads to a file of another namespace by then, by a Router: all its groups are in
 * another block pool. And for a path that leads to another encrypted file, which has another
 * initialization vector. Immutable.
 */
final class OpenedForm {
  private final DFSClient client;
  private final GroupForms forms;
  private final String file;
  private final Optional<Form> form;

  /** Block pool of a striped file; empty if it had no block. */
  private final Optional<String> pool;

  /** Of an encrypted file; empty for others, and below /.reserved/raw. */
  private final Optional<String> vector;

  /** The groups that a stream is bound to; empty: to none. */
  private final Optional<Set<BlockName>> groups;

  /**
   * The form of a file.
   *
   * @param client whose answers are noted in {@code forms}
   * @param opened with blocks of the file, if it has any
   */
  OpenedForm(DFSClient client, GroupForms forms, String file, LocatedBlocks opened) {
    this(client, forms, file, opened, /* isBound= */ false);
  }

  /**
   * As above.
   *
   * @param isBound whether blocks that are not in {@code opened} are refused, also of this form
   */
  OpenedForm(
      DFSClient client, GroupForms forms, String file, LocatedBlocks opened, boolean isBound) {
    this.client = client;
    this.forms = forms;
    this.file = file;
    this.form = Optional.ofNullable(opened.getErasureCodingPolicy()).map(Form::of);
    Set<BlockName> names = new LinkedHashSet<>();
    if (form.isPresent()) {
      opened.getLocatedBlocks().forEach(each -> names.add(BlockName.of(each)));
      if (opened.getLastLocatedBlock() != null) {
        names.add(BlockName.of(opened.getLastLocatedBlock()));
      }
    }
    this.pool = names.stream().map(BlockName::poolId).findFirst();
    this.vector = GroupForms.vectorOf(opened);
    this.groups = isBound ? Optional.of(names) : Optional.empty();
  }

  /**
   * Looks at a block before it is read.
   *
   * @return the block
   * @throws IOException if it is of another form, or nobody knows of which
   */
  LocatedBlock require(LocatedBlock located) throws IOException {
    if (form.isEmpty()) {
      if (located.isStriped()) {
        throw changed(located, "erasure coded");
      }
      return located;
    }
    if (!located.isStriped()) {
      throw changed(located, "replicated");
    }
    BlockName group = BlockName.of(located);
    if (!isInPool(group)) {
      throw elsewhere(located);
    }
    Optional<Form> now = now(group, located.getStartOffset());
    if (!now.equals(form)) {
      throw changed(located, now.isEmpty() ? "unknown" : now.get());
    }
    if (!isOpened(group)) {
      throw changed(located, "another block group");
    }
    if (!hasVector(group, located.getStartOffset())) {
      throw changed(located, "that of another file");
    }
    return located;
  }

  /**
   * Whether a unit is of a group of this file in this form.
   *
   * @param unit as made of a group by StripedBlockUtil.constructInternalBlock, with its offset
   * @throws IOException if nobody knows of which, and the NameNode cannot be asked
   */
  boolean isOf(LocatedBlock unit) throws IOException {
    BlockName group = BlockName.ofGroup(unit);
    return isInPool(group)
        && isOpened(group)
        && now(group, unit.getStartOffset()).equals(form)
        && hasVector(group, unit.getStartOffset());
  }

  private boolean isInPool(BlockName group) {
    return pool.isEmpty() || pool.get().equals(group.poolId());
  }

  private boolean isOpened(BlockName group) {
    return groups.isEmpty() || groups.get().contains(group);
  }

  private Optional<Form> now(BlockName group, long offset) throws IOException {
    Optional<Form> now = forms.of(group);
    if (now.isEmpty()) {
      client.getLocatedBlocks(file, offset);
      now = forms.of(group);
    }
    return now;
  }

  private boolean hasVector(BlockName group, long offset) throws IOException {
    if (vector.isEmpty()) {
      return true;
    }
    Optional<String> now = forms.vectorOf(group);
    if (now.isEmpty()) {
      client.getLocatedBlocks(file, offset);
      now = forms.vectorOf(group);
    }
    return now.equals(vector);
  }

  private IOException elsewhere(LocatedBlock located) {
    return new IOException(
        ErrorMessage.to("continue reading a file")
            .value("blockPool", BlockName.of(located).poolId())
            .expected(
                pool.orElse("")
                    + ", as when it was opened; a Router in front of several nameservices may lead"
                    + " elsewhere by now: open it again, or at the nameservice itself")
            .where("file", file)
            .where("block", located.getBlock())
            .message());
  }

  private IOException changed(LocatedBlock located, Object now) {
    return new IOException(
        ErrorMessage.to("continue reading a file")
            .value("form", now)
            .expected(
                (form.isEmpty() ? "replicated" : form.get())
                    + ", as when it was opened; it was rewritten: open it again")
            .where("file", file)
            .where("block", located.getBlock())
            .message());
  }
}
