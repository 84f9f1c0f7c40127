/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.hold.FileHold;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.swap.SwapAnswer.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SwapRulesTest {
  private static final StoredBlock BLOCK = new StoredBlock(7, 1001, 10, true, 3, 3);

  private static FileAttributes attributes(Map<String, String> xattrs) {
    return new FileAttributes("mary", "staff", 0640, "", xattrs, 0, 1234);
  }

  private static StoredFile file(long inodeId, String form, StoredBlock block) {
    return file(inodeId, form, block, attributes(Map.of()), false, false);
  }

  private static StoredFile file(
      long inodeId,
      String form,
      StoredBlock block,
      FileAttributes attributes,
      boolean shared,
      boolean encrypted) {
    return new StoredFile(
        "/f" + inodeId,
        inodeId,
        block.lengthBytes(),
        form,
        List.of(block),
        attributes,
        /* open= */ false,
        shared,
        encrypted,
        /* pairPlaced= */ false,
        /* inPairs= */ false,
        Optional.empty());
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
            new StoredBlock(8, 1001, 10, true, 3, 3),
            new StoredBlock(7, 1002, 10, true, 3, 3),
            new StoredBlock(7, 1001, 11, true, 3, 3))) {
      assertThat(kind(file(1, "replication 3", other), COPY)).isEqualTo("changed");
      assertThat(kind(SOURCE, file(2, "RS-4-1-16k", other))).isEqualTo("copy-lost");
    }
    // Where replicas are is no matter of the bytes.
    assertThat(ask(file(1, "replication 3", new StoredBlock(7, 1001, 10, true, 1, 3)), COPY))
        .isEqualTo(SwapAnswer.SWAPPED);
  }

  @Test
  void aCopyThatIsNotWholeWaits() {
    SwapAnswer answer =
        ask(SOURCE, file(2, "RS-4-1-16k", new StoredBlock(7, 1001, 10, true, 2, 3)));
    assertThat(answer.outcome()).isEqualTo(Outcome.WAIT);
    assertThat(answer.refusal().orElseThrow().kind()).isEqualTo("thin");
    assertThat(kind(SOURCE, file(2, "RS-4-1-16k", new StoredBlock(7, 1001, 10, false, 3, 3))))
        .isEqualTo("thin");
    assertThat(kind(file(1, "replication 3", new StoredBlock(7, 1001, 10, false, 3, 3)), COPY))
        .isEqualTo("open");
  }

  @Test
  void snapshotsAndEncryptionZonesAreRefused() {
    FileAttributes plain = attributes(Map.of());
    assertThat(kind(file(1, "replication 3", BLOCK, plain, true, false), COPY))
        .isEqualTo("snapshot");
    assertThat(kind(file(1, "replication 3", BLOCK, plain, false, true), COPY))
        .isEqualTo("encrypted");
    assertThat(kind(SOURCE, file(2, "RS-4-1-16k", BLOCK, plain, true, false)))
        .isEqualTo("copy-lost");
  }

  @Test
  void attributesThatDifferAreNamedWithoutTheirValues() {
    StoredFile secret =
        file(1, "replication 3", BLOCK, attributes(Map.of("TRUSTED.key", "hunter2")), false, false);
    SwapAnswer answer = ask(secret, COPY);
    assertThat(answer.outcome()).isEqualTo(Outcome.DRESS);
    assertThat(answer.refusal().orElseThrow().reason())
        .contains("xattr TRUSTED.key")
        .doesNotContain("hunter2");
  }

  @Test
  void aFileThatAnotherFeatureHoldsIsRefused() {
    FileHold hold = new FileHold("updating", "updateSession", "7", "close it");
    Refusal refusal = ask(held(SOURCE, hold), COPY).refusal().orElseThrow();
    assertThat(refusal.kind()).isEqualTo("updating");
    assertThat(refusal.reason()).contains("updateSession=7, expected none, file=/f1");
    assertThat(refusal.remedy()).isEqualTo("close it");
    assertThat(kind(SOURCE, held(COPY, hold))).isEqualTo("copy-lost");
  }

  private static StoredFile held(StoredFile file, FileHold hold) {
    return new StoredFile(
        file.path(),
        file.inodeId(),
        file.lengthBytes(),
        file.form(),
        file.blocks(),
        file.attributes(),
        file.open(),
        file.shared(),
        file.encrypted(),
        file.pairPlaced(),
        file.inPairs(),
        Optional.of(hold));
  }
}
