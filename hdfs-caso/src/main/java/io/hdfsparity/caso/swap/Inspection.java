/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.swap;

import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.StoredFile;
import java.util.Optional;

/**
 * What the NameNode says of a file before it is copied. Immutable.
 *
 * @param storagePolicyId set on the file itself; 0: none
 * @param refusal why nothing can take its place; empty: it may be copied
 */
public record Inspection(FileIdentity identity, int storagePolicyId, Optional<String> refusal) {
  /** Of a file as the NameNode holds it. */
  public static Inspection of(StoredFile file) {
    return new Inspection(
        FileIdentity.of(file), file.attributes().storagePolicyId(), SwapRules.unfit(file));
  }
}
