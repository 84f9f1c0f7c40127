/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import io.hdfsparity.bridge.refusal.Refusal;
import java.io.IOException;

/** A file is not copied, since bytes of it can only be decoded. */
public final class DecodedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  /**
   * @param decodings of the stream that was tried last
   */
  public DecodedException(long decodings, String path) {
    this(SwapRefusal.DECODED.because("decodings", decodings, "0: all data units read", path));
  }

  private DecodedException(Refusal refusal) {
    super(refusal.reason() + "; " + refusal.remedy());
    this.refusal = refusal;
  }

  /** For whoever lists refused files. */
  public Refusal refusal() {
    return refusal;
  }
}
