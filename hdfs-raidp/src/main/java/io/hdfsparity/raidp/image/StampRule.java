/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.image;

import java.util.List;

/** Which files of a block have the bytes that a row covers under a generation stamp. */
public enum StampRule {
  /**
   * Those with the stamp, and newer ones: what was cut off since is in limbo. So it is for the
   * frame's own rows and for those of its partner.
   */
  SAME_OR_NEWER("at least that stamp"),

  /**
   * Those with the very stamp. Limbo may have been dropped since, or never been filled, so a newer
   * file may have other bytes where it was cut and written again, with checksums that match all the
   * same. A file in limbo with the very stamp proves that nothing was dropped: then newer ones
   * count as well.
   */
  SAME(
      "exactly that stamp, as the caller is not the partner of this frame, or the frame has covered"
          + " nothing of the block"),

  /**
   * Those with the very stamp and no others. Nothing is known of newer ones: the disk has not been
   * reconciled with its Lstor, so they may have been made without the hooks.
   */
  NO_OTHER("exactly that stamp, as the Lstor of the disk is out of service");

  private final String text;

  StampRule(String text) {
    this.text = text;
  }

  /** What a message says is expected. */
  String text() {
    return text;
  }

  /** Whether files with newer stamps count beside those with the very stamp. */
  boolean allowsNewer(List<ImageSource> sources, long asked) {
    return this == SAME_OR_NEWER
        || this == SAME && sources.stream().anyMatch(source -> source.generationStamp() == asked);
  }
}
