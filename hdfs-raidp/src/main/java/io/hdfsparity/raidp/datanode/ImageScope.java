/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.lstor.BlockImage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Images of rows of one disk for as long as a recomputation of parity takes; at most {@value
 * #MAX_OPEN} of them hold files open. Never answers null: an image that cannot be read throws when
 * it is read. Not thread-safe.
 */
final class ImageScope implements Function<SlotEntry, BlockImage>, Closeable {
  private static final int MAX_OPEN = 64;

  private final DiskEngine disk;
  private final Map<SlotEntry, RowImage> images = new LinkedHashMap<>();

  ImageScope(DiskEngine disk) {
    this.disk = disk;
  }

  @Override
  public BlockImage apply(SlotEntry row) {
    RowImage known = images.get(row);
    if (known != null) {
      return known;
    }
    if (images.size() >= MAX_OPEN) {
      Map.Entry<SlotEntry, RowImage> oldest = images.entrySet().iterator().next();
      images.remove(oldest.getKey());
      try {
        // It reopens its files if it is still in use.
        oldest.getValue().close();
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
    RowImage image = new RowImage(disk.frame(row.frameIndex()), row);
    images.put(row, image);
    return image;
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (RowImage image : images.values()) {
      try {
        image.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
