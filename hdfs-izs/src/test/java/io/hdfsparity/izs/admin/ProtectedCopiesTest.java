/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.junit.jupiter.api.Test;

class ProtectedCopiesTest {
  private final List<String> asked = new ArrayList<>();
  private int protections;
  private boolean fails;
  private final ProtectedCopies copies = new ProtectedCopies(new Files(), this::protect);

  private void protect() throws IOException {
    if (fails) {
      throw new IOException("safe mode");
    }
    protections++;
  }

  private final class Files implements SwapProtocol {
    @Override
    public Inspection inspect(String path) throws IOException {
      asked.add(path);
      if (path.equals("/gone")) {
        throw new FileNotFoundException(path);
      }
      return new Inspection(
          new FileIdentity(path, 1, 1, 1, "RS-4-1-16k", "", 0),
          0,
          !path.startsWith("/stock"),
          path.startsWith("/protected"),
          Optional.empty());
    }

    @Override
    public SwapAnswer swap(FileIdentity source, FileIdentity copy) {
      throw new AssertionError("asked to swap");
    }

    @Override
    public void protectFolder(String path) {
      throw new AssertionError("the place does that");
    }
  }

  private void prepareFor(String path, StorageForm form) throws IOException {
    copies.prepareFor(
        new Advice(
            new FileFacts(path, 1, 1, 1, 1, new Replicated(3), Optional.empty(), Optional.empty()),
            Verdict.REWRITE,
            Optional.empty(),
            Optional.of(form),
            "the test wants it",
            new AccessRate(0, 0, 1),
            2,
            2));
  }

  @Test
  void thePlaceIsProtectedOnceAProtectedFileNeedsIt() throws IOException {
    prepareFor("/protected/copies", new Replicated(2));
    prepareFor("/elsewhere", new Raidp());
    prepareFor("/stock", new Raidp());
    prepareFor("/gone", new Raidp());
    assertThat(protections).isZero();
    prepareFor("/protected/a", new Raidp());
    prepareFor("/protected/b", new Raidp());
    assertThat(protections).isEqualTo(1);
    assertThat(asked).containsExactly("/elsewhere", "/stock", "/gone", "/protected/a");
  }

  @Test
  void whatFailedIsTriedAgain() throws IOException {
    fails = true;
    assertThatThrownBy(() -> prepareFor("/protected/a", new Raidp())).hasMessage("safe mode");
    fails = false;
    prepareFor("/protected/b", new Raidp());
    assertThat(protections).isEqualTo(1);
  }
}
