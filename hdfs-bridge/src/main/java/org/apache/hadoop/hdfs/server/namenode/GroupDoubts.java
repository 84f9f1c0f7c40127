/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.level.ParityDoubts;
import io.hdfsparity.bridge.level.ParityDoubts.Doubt;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;

/** What the plugins of a NameNode know against the parity of block groups. Thread-safe. */
final class GroupDoubts {
  private final FSNamesystem namesystem;
  private final NameNodePlugins plugins;

  /** One of the questions of {@link ParityDoubts}. */
  @FunctionalInterface
  private interface Question {
    Doubt ask(ParityDoubts doubts, String codec, long groupId);
  }

  /**
   * @throws IllegalStateException when this Hadoop is another one
   */
  GroupDoubts(NameNode nameNode) {
    this.namesystem = nameNode.getNamesystem();
    this.plugins = new NameNodePlugins(nameNode);
  }

  /** Has it loaded, if it is not yet. Takes no lock, and must be called under none. */
  void load() {
    plugins.of(ParityDoubts.class).forEach(ParityDoubts::load);
  }

  /**
   * As {@link ParityDoubts#doubt}, of each block of a file; of a replicated one nothing is known.
   * The caller holds the lock, for reading at least.
   */
  Function<BlockInfo, Doubt> of(INodeFile file) {
    return of(file, ParityDoubts::doubt);
  }

  /** As {@link ParityDoubts#doubtOfRebuild}, of each block of a file. The same goes for it. */
  Function<BlockInfo, Doubt> ofRebuild(INodeFile file) {
    return of(file, ParityDoubts::doubtOfRebuild);
  }

  private Function<BlockInfo, Doubt> of(INodeFile file, Question question) {
    if (!file.isStriped()) {
      return block -> Doubt.NONE;
    }
    List<ParityDoubts> all = plugins.of(ParityDoubts.class);
    String codec =
        namesystem
            .getErasureCodingPolicyManager()
            .getByID(file.getErasureCodingPolicyID())
            .getCodecName();
    return block ->
        all.stream()
            .map(each -> question.ask(each, codec, block.getBlockId()))
            .filter(doubt -> doubt != Doubt.NONE)
            .findFirst()
            .orElse(Doubt.NONE);
  }
}
