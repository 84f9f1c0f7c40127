/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.GroupForms.Form;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;

/**
 * The form that a file had when a stream of it was opened. Hadoop's streams ask for locations by
 * path, when they come to blocks that they have not asked for yet and when a replica fails, and
 * take what they are told for blocks of that form. Where the path leads to a file that was
 * rewritten in another form by then, they would read other bytes at the right place. Immutable.
 */
final class OpenedForm {
  private final DFSClient client;
  private final GroupForms forms;
  private final String file;
  private final Optional<Form> form;

  /**
   * The form of a file.
   *
   * @param client whose answers are noted in {@code forms}
   * @param policy of the file; null if it is replicated
   */
  OpenedForm(DFSClient client, GroupForms forms, String file, ErasureCodingPolicy policy) {
    this.client = client;
    this.forms = forms;
    this.file = file;
    this.form = Optional.ofNullable(policy).map(Form::of);
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
    Optional<Form> now = now(located.getBlock().getBlockId(), located.getStartOffset());
    if (!now.equals(form)) {
      throw changed(located, now.isEmpty() ? "unknown" : now.get());
    }
    return located;
  }

  /**
   * Whether a unit is of a group of this form.
   *
   * @param unit as made of a group by StripedBlockUtil.constructInternalBlock, with its offset
   * @throws IOException if nobody knows of which, and the NameNode cannot be asked
   */
  boolean isOf(LocatedBlock unit) throws IOException {
    long id = unit.getBlock().getBlockId();
    long group = id - StripedBlockUtil.getBlockIndex(unit.getBlock().getLocalBlock());
    return now(group, unit.getStartOffset()).equals(form);
  }

  private Optional<Form> now(long group, long offset) throws IOException {
    Optional<Form> now = forms.of(group);
    if (now.isEmpty()) {
      client.getLocatedBlocks(file, offset);
      now = forms.of(group);
    }
    return now;
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
