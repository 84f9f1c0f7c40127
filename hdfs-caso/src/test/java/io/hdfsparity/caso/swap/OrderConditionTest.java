/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.swap;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.level.ParityDoubts.Doubt;
import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.StoredBlock;
import io.hdfsparity.bridge.swap.StoredFile;
import io.hdfsparity.bridge.swap.StoredFiles;
import io.hdfsparity.bridge.swap.SwapAnswer;
import io.hdfsparity.bridge.swap.SwapRules;
import io.hdfsparity.caso.layout.LayoutPointer;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class OrderConditionTest {
  private static final String POINTER = "USER.parity.caso.layout";

  private static String pointer(long fileId) {
    return Base64.getEncoder()
        .encodeToString(
            new LayoutPointer(fileId, 10, "ab".repeat(32), "cd".repeat(16), "/.caso").encode());
  }

  private static StoredFile file(long inode, String form, int live, Map<String, String> xattrs) {
    return file(inode, form, live, xattrs, 5);
  }

  private static StoredFile file(
      long inode, String form, int live, Map<String, String> xattrs, long modifiedMs) {
    return StoredFiles.file(
        inode,
        form,
        new StoredBlock(-16L * inode, 1001, 100, true, live, 5, 0, Doubt.NONE),
        StoredFiles.attributes(xattrs, modifiedMs));
  }

  private static SwapAnswer.Outcome judge(
      StoredFile seen, StoredFile now, StoredFile copySeen, StoredFile copyNow) {
    SwapRules rules =
        new SwapRules(FileIdentity.of(seen), FileIdentity.of(copySeen), new OrderCondition());
    boolean isAllowed = rules.allows(now, copyNow);
    assertThat(isAllowed).isEqualTo(rules.answer().outcome() == SwapAnswer.Outcome.SWAPPED);
    assertThat(rules.answer().reason().isEmpty()).isEqualTo(isAllowed);
    return rules.answer().outcome();
  }

  @Test
  void whatIsEqualMayBeSwapped() {
    StoredFile source = file(1, "RS-3-2-4k", 5, Map.of("USER.x", "1"));
    StoredFile copy = file(2, "RS-3-2-4k", 5, Map.of("USER.x", "1", POINTER, pointer(2)));
    assertThat(judge(source, source, copy, copy)).isEqualTo(SwapAnswer.Outcome.SWAPPED);
    // And back: the pointer of the file is not the copy's.
    StoredFile ordered = file(1, "RS-3-2-4k", 5, Map.of(POINTER, pointer(1)));
    StoredFile own = file(2, "RS-3-2-4k", 5, Map.of());
    assertThat(judge(ordered, ordered, own, own)).isEqualTo(SwapAnswer.Outcome.SWAPPED);
  }

  @Test
  void anythingElseMayNot() {
    StoredFile source = file(1, "RS-3-2-4k", 5, Map.of());
    StoredFile copy = file(2, "RS-3-2-4k", 5, Map.of());
    SwapAnswer.Outcome refused = SwapAnswer.Outcome.REFUSED;
    assertThat(judge(source, file(3, "RS-3-2-4k", 5, Map.of()), copy, copy)).isEqualTo(refused);
    assertThat(judge(source, source, copy, file(4, "RS-3-2-4k", 5, Map.of()))).isEqualTo(refused);
    assertThat(judge(source, file(1, "RS-3-2-4k", 5, Map.of(), 6), copy, copy)).isEqualTo(refused);
    for (UnaryOperator<StoredFile> hold :
        List.<UnaryOperator<StoredFile>>of(
            StoredFiles::open, StoredFiles::shared, StoredFiles::encrypted)) {
      assertThat(judge(source, hold.apply(source), copy, copy)).isEqualTo(refused);
      assertThat(judge(source, source, copy, hold.apply(copy))).isEqualTo(refused);
    }
    StoredFile otherForm = file(2, "RS-6-3-4k", 5, Map.of());
    assertThat(judge(source, source, otherForm, otherForm)).isEqualTo(refused);
    StoredFile foreign = file(2, "RS-3-2-4k", 5, Map.of(POINTER, pointer(1)));
    assertThat(judge(source, source, foreign, foreign)).isEqualTo(refused);
    StoredFile damaged = file(2, "RS-3-2-4k", 5, Map.of(POINTER, "AAAA"));
    assertThat(judge(source, source, damaged, damaged)).isEqualTo(refused);
  }

  @Test
  void whatIsNotYetSoIsAskedForAgain() {
    StoredFile source = file(1, "RS-3-2-4k", 5, Map.of("USER.x", "1"));
    StoredFile thin = file(2, "RS-3-2-4k", 4, Map.of("USER.x", "1"));
    assertThat(judge(source, source, thin, thin)).isEqualTo(SwapAnswer.Outcome.WAIT);
    StoredFile whole = file(2, "RS-3-2-4k", 5, Map.of("USER.x", "1"));
    assertThat(judge(source, StoredFiles.updating(source), whole, whole))
        .isEqualTo(SwapAnswer.Outcome.WAIT);
    StoredFile plain = file(2, "RS-3-2-4k", 5, Map.of("USER.y", "1"));
    assertThat(judge(source, source, plain, plain)).isEqualTo(SwapAnswer.Outcome.DRESS);
  }
}
