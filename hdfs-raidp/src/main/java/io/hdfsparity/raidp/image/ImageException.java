/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.image;

import java.io.IOException;

/**
 * Why an image cannot be had. A caller may look for it elsewhere, but must not go on without it.
 */
public class ImageException extends IOException {
  private static final long serialVersionUID = 1L;

  public ImageException(String message) {
    super(message);
  }

  /** Stored bytes do not match their CRCs, or a file is shorter than it should be. */
  public static final class Corrupt extends ImageException {
    private static final long serialVersionUID = 1L;

    public Corrupt(String message) {
      super(message);
    }
  }

  /** Neither a live file nor limbo holds the bytes that were asked for. */
  public static final class NotHeld extends ImageException {
    private static final long serialVersionUID = 1L;

    public NotHeld(String message) {
      super(message);
    }
  }
}
