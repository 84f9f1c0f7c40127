/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.guard.OrderMark;
import io.hdfsparity.bridge.level.ParityDoubts.Doubt;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.swap.SwapAnswer.Outcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SwapRulesTest {
  private static final StoredBlock BLOCK = new StoredBlock(7, 1001, 10, true, 3, 3, 0, Doubt.NONE);

  private static StoredFile file(long inodeId, String form, StoredBlock block) {
    return StoredFiles.file(inodeId, form, block, StoredFiles.attributes(Map.of(), 1234));
  }

  private static final StoredFile SOURCE = file(1, "replication 3", BLOCK);
  private static final StoredFile COPY = file(2, "RS-4-1-16k", BLOCK);

  private static SwapAnswer ask(StoredFile source, StoredFile copy) {
    SwapRules rules =
        new SwapRules(FileIdentity.of(SOURCE), FileIdentity.of(COPY), SwapCondition.NONE);
    boolean allowed = rules.allows(source, copy);
    assertThat(allowed).isEqualTo(rules.answer().outcome() == Outcome.SWAPPED);
    return rules.answer();
  }

  private static String kind(StoredFile source, StoredFile copy) {
    return ask(source, copy).refusal().orElseThrow().kind();
  }

  @Test
  void theSameFilesAreSwapped() {
    assertThat(ask(SOURCE, COPY)).isEqualTo(SwapAnswer.SWAPPED);
  }

  @Test
  void anotherBlockGenerationOrLengthIsAnotherFile() {
    assertThat(kind(file(3, "replication 3", BLOCK), COPY)).isEqualTo("changed");
    assertThat(kind(file(1, "replication 2", BLOCK), COPY)).isEqualTo("changed");
    for (StoredBlock other :
        List.of(
            new StoredBlock(8, 1001, 10, true, 3, 3, 0, Doubt.NONE),
            new StoredBlock(7, 1002, 10, true, 3, 3, 0, Doubt.NONE),
            new StoredBlock(7, 1001, 11, true, 3, 3, 0, Doubt.NONE))) {
      assertThat(kind(file(1, "replication 3", other), COPY)).isEqualTo("changed");
      assertThat(kind(SOURCE, file(2, "RS-4-1-16k", other))).isEqualTo("copy-lost");
    }
    // Where replicas are is no matter of the bytes.
    assertThat(
            ask(
                file(1, "replication 3", new StoredBlock(7, 1001, 10, true, 1, 3, 0, Doubt.NONE)),
                COPY))
        .isEqualTo(SwapAnswer.SWAPPED);
  }

  /** Whoever may write a file may set its modification time back. */
  @Test
  void anUpdateInPlaceMakesAnotherFileWhateverTheTime() {
    StoredFile updated = StoredFiles.updated(SOURCE, 77);
    assertThat(updated.attributes()).isEqualTo(SOURCE.attributes());
    assertThat(ask(updated, COPY).reason())
        .contains("updatedMs 0 became 77")
        .doesNotContain("modifiedMs");
    assertThat(kind(updated, COPY)).isEqualTo("changed");
    assertThat(kind(SOURCE, StoredFiles.updated(COPY, 77))).isEqualTo("copy-lost");
  }

  @Test
  void aCopyThatIsNotWholeWaits() {
    SwapAnswer answer =
        ask(SOURCE, file(2, "RS-4-1-16k", new StoredBlock(7, 1001, 10, true, 2, 3, 0, Doubt.NONE)));
    assertThat(answer.outcome()).isEqualTo(Outcome.WAIT);
    assertThat(answer.refusal().orElseThrow().kind()).isEqualTo("thin");
    assertThat(
            kind(
                SOURCE,
                file(2, "RS-4-1-16k", new StoredBlock(7, 1001, 10, false, 3, 3, 0, Doubt.NONE))))
        .isEqualTo("thin");
    assertThat(
            kind(
                file(1, "replication 3", new StoredBlock(7, 1001, 10, false, 3, 3, 0, Doubt.NONE)),
                COPY))
        .isEqualTo("open");
  }

  /** What would be decoded in the place of a unit may differ from it, and the swap deletes it. */
  @Test
  void aFileWithoutAllItsDataUnitsIsNeitherCopiedNorReplaced() {
    StoredFile lacking =
        file(
            1,
            "replication 3",
            new StoredBlock(7, 1001, 10, true, 2, 3, /* missing= */ 1, Doubt.NONE));
    SwapAnswer answer = ask(lacking, COPY);
    assertThat(answer.outcome()).isEqualTo(Outcome.WAIT);
    Refusal refusal = answer.refusal().orElseThrow();
    assertThat(refusal.kind()).isEqualTo("missing-unit");
    assertThat(refusal.reason()).contains("missingDataUnits=1", "block 7", "/f1");
    assertThat(Inspection.of(lacking, SwapCondition.NONE).refusal()).contains(refusal);
  }

  /** Which of data and parity is right is not known, and the swap would delete the parity. */
  @Test
  void aFileWhoseParityIsDoubtedIsNeitherCopiedNorReplaced() {
    Map<Doubt, String> kinds =
        Map.of(
            Doubt.FOUND, "contradiction",
            Doubt.UNLISTED, "contradiction",
            Doubt.UNKNOWN, "doubts-unknown");
    kinds.forEach(
        (doubt, kind) -> {
          StoredFile doubted =
              file(1, "replication 3", new StoredBlock(7, 1001, 10, true, 3, 3, 0, doubt));
          SwapAnswer answer = ask(doubted, COPY);
          assertThat(answer.outcome())
              .as("after a restart it passes, and the copy may have taken hours")
              .isEqualTo(doubt == Doubt.UNKNOWN ? Outcome.WAIT : Outcome.REFUSED);
          Refusal refusal = answer.refusal().orElseThrow();
          assertThat(refusal.kind()).isEqualTo(kind);
          assertThat(Inspection.of(doubted, SwapCondition.NONE).refusal()).contains(refusal);
        });
  }

  /** What does not pass is answered first. */
  @Test
  void aChangedFileIsRefusedWhateverIsKnownOfItsParity() {
    StoredBlock other = new StoredBlock(8, 1001, 10, true, 3, 3, 0, Doubt.UNKNOWN);
    SwapAnswer answer = ask(file(1, "replication 3", other), COPY);
    assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(answer.refusal().orElseThrow().kind()).isEqualTo("changed");
  }

  @Test
  void snapshotsAndEncryptionZonesAreRefused() {
    assertThat(kind(StoredFiles.shared(SOURCE), COPY)).isEqualTo("snapshot");
    assertThat(kind(StoredFiles.encrypted(SOURCE), COPY)).isEqualTo("encrypted");
    assertThat(kind(SOURCE, StoredFiles.shared(COPY))).isEqualTo("copy-lost");
  }

  @Test
  void attributesThatDifferAreNamedWithoutTheirValues() {
    StoredFile secret =
        StoredFiles.file(
            1,
            "replication 3",
            BLOCK,
            StoredFiles.attributes(Map.of("TRUSTED.key", "hunter2"), 1234));
    SwapAnswer answer = ask(secret, COPY);
    assertThat(answer.outcome()).isEqualTo(Outcome.DRESS);
    assertThat(answer.refusal().orElseThrow().reason())
        .contains("xattr TRUSTED.key")
        .doesNotContain("hunter2");
  }

  /** Nobody but RAIDP can give the mark to a copy. */
  @Test
  void aFileWithAMarkOfItsOwnIsRefusedBeforeItIsCopied() {
    StoredFile marked = StoredFiles.marked(SOURCE);
    Refusal refusal = Inspection.of(marked, SwapCondition.NONE).refusal().orElseThrow();
    assertThat(refusal.kind()).isEqualTo("own-mark");
    assertThat(refusal.remedy()).contains("hdfs raidp -unprotect <file>");
    assertThat(ask(marked, COPY).refusal()).contains(refusal);
  }

  /** Its mark is of the inode, so a copy that has it too is read by nobody. */
  @Test
  void aFileInStoredOrderIsRefusedBeforeItIsCopied() {
    OrderMark mark = new OrderMark("user.order", "a client", "restore");
    StoredFile ordered =
        StoredFiles.file(
            1,
            "replication 3",
            BLOCK,
            StoredFiles.attributes(Map.of("USER.order", "x", "USER.other", "y"), 1234));
    SwapCondition own = new OwnOrderCondition(() -> mark);
    Refusal refusal = Inspection.of(ordered, own).refusal().orElseThrow();
    assertThat(refusal.kind()).isEqualTo("stored-order");
    assertThat(refusal.remedy()).contains("hdfs caso -restore");
    SwapRules rules = new SwapRules(FileIdentity.of(SOURCE), FileIdentity.of(COPY), own);
    assertThat(rules.allows(ordered, COPY)).isFalse();
    assertThat(rules.answer().refusal()).contains(refusal);
    assertThat(rules.allows(SOURCE, COPY)).isTrue();
    assertThat(Inspection.of(SOURCE, own).refusal()).isEmpty();
    assertThat(Inspection.of(ordered, new OwnOrderCondition(() -> null)).refusal()).isEmpty();
  }

  @Test
  void aSwapWaitsWhileAnotherFeatureHoldsFileOrCopy() {
    SwapAnswer answer = ask(StoredFiles.updating(SOURCE), COPY);
    assertThat(answer.outcome()).isEqualTo(SwapAnswer.Outcome.WAIT);
    Refusal refusal = answer.refusal().orElseThrow();
    assertThat(refusal.kind()).isEqualTo("updating");
    assertThat(refusal.reason()).contains("updateSession=7, expected none, file=/f1");
    assertThat(refusal.remedy()).isEqualTo("close it");
    // As of all files while a NameNode that has just taken over does not know of sessions.
    assertThat(ask(SOURCE, StoredFiles.updating(COPY)).outcome())
        .isEqualTo(SwapAnswer.Outcome.WAIT);
    // But nobody begins to copy such a file.
    assertThat(
            Inspection.of(StoredFiles.updating(SOURCE), new OwnOrderCondition(() -> null))
                .refusal()
                .orElseThrow()
                .kind())
        .isEqualTo("updating");
  }
}
