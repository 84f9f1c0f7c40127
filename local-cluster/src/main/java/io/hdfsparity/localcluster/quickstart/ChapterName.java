/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** What the quickstart can show. The first word of its command line, if it names one. */
enum ChapterName {
  /** Three replicas become two and parity: three disks die. */
  RAIDP(RaidpChapter::new),
  /** Codec izs: nodes die, and levels go up and down. */
  IZS(IzsChapter::new),
  /** Erasure-coded files that are changed in place. */
  EC_UPDATE(UpdateChapter::new),
  /** A file whose cells are organized by how it is used. */
  CASO(CasoChapter::new),
  /** MapReduce on YARN in a directory that RAIDP protects: a disk dies in the middle of a sort. */
  JOBS(JobsChapter::new),
  /** Programs of other projects write to a block device on an erasure-coded file. */
  NBD(NbdChapter::new),
  /** All that store files, on one cluster with all features. */
  ALL(AllChapter::new);

  private final Function<Runner, Chapter> chapter;

  ChapterName(Function<Runner, Chapter> chapter) {
    this.chapter = chapter;
  }

  /** The chapter of that name; a folder of the same name is written as ./izs. */
  static Optional<ChapterName> named(String word) {
    return Arrays.stream(values()).filter(each -> each.label().equals(word)).findFirst();
  }

  /** Its name on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Chapter chapter(Runner runner) {
    return chapter.apply(runner);
  }
}
