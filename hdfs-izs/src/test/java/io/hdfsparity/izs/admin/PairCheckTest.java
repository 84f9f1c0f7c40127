/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.Inspection;
import io.hdfsparity.bridge.swap.SwapAnswer;
import io.hdfsparity.bridge.swap.SwapProtocol;
import io.hdfsparity.izs.mapping.AccessRate;
import io.hdfsparity.izs.mapping.Advice;
import io.hdfsparity.izs.mapping.Advice.Verdict;
import io.hdfsparity.izs.mapping.FileFacts;
import io.hdfsparity.izs.mapping.StorageForm;
import io.hdfsparity.izs.mapping.StorageForm.Raidp;
import io.hdfsparity.izs.mapping.StorageForm.Replicated;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PairCheckTest {
  private final Files files = new Files();
  private final PairCheck check = new PairCheck(files);

  /** A NameNode that knows where files lie. */
  private static final class Files implements SwapProtocol {
    private boolean runsRaidp = true;
    private final Set<String> outside = new java.util.HashSet<>();
    private final List<String> asked = new ArrayList<>();

    @Override
    public Inspection inspect(String path) throws IOException {
      asked.add(path);
      if (path.equals("/gone")) {
        throw new FileNotFoundException(path);
      }
      return new Inspection(
          new FileIdentity(path, 1, 1, 1, "replication 2", "", 0),
          0,
          runsRaidp,
          runsRaidp && !outside.contains(path),
          Optional.empty());
    }

    @Override
    public SwapAnswer swap(FileIdentity source, FileIdentity copy) {
      throw new AssertionError("asked to swap");
    }

    @Override
    public void protectFolder(String path) {
      throw new AssertionError("asked to protect");
    }
  }

  private Optional<String> refusal(String path, StorageForm form) throws IOException {
    return check
        .refusal(
            new Advice(
                new FileFacts(
                    path, 1, 1, 1, 1, new Replicated(2), Optional.empty(), Optional.empty()),
                Verdict.KEEP,
                Optional.empty(),
                Optional.of(form),
                "the test wants it",
                new AccessRate(0, 0, 1),
                2,
                2))
        .map(Refusal::kind);
  }

  @Test
  void everyFileIsJudgedByWhereItLies() throws IOException {
    files.outside.add("/stock");
    assertThat(refusal("/pair", new Raidp())).isEmpty();
    assertThat(refusal("/stock", new Raidp())).contains("not-protected");
    assertThat(refusal("/gone", new Raidp())).isEmpty();
    assertThat(refusal("/pair2", new Raidp())).isEmpty();
    assertThat(refusal("/stock", new Replicated(2))).isEmpty();
    assertThat(files.asked).containsExactly("/pair", "/stock", "/gone", "/pair2");
  }

  @Test
  void aNameNodeWithoutRaidpIsAskedOnce() throws IOException {
    files.runsRaidp = false;
    assertThat(refusal("/gone", new Raidp())).isEmpty();
    assertThat(refusal("/a", new Raidp())).contains("no-raidp");
    assertThat(refusal("/b", new Raidp())).contains("no-raidp");
    assertThat(files.asked).containsExactly("/gone", "/a");
  }
}
