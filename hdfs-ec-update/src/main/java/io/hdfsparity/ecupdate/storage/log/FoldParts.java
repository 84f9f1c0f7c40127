/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import java.util.ArrayList;
import java.util.List;

/** Cuts a fold into records. Stateless, thread-safe. */
final class FoldParts {
  private FoldParts() {}

  /** As few as there can be: all but the last are full. */
  static List<LogEntry.Fold> split(
      ReplicaKey replica, long upTo, List<Patch> patches, int maxRecordBytes) {
    int room = maxRecordBytes - RecordHeader.HEADER_BYTES - EntryCodec.FOLD_HEAD_BYTES;
    List<List<Patch>> parts = new ArrayList<>();
    List<Patch> part = new ArrayList<>();
    int left = room;
    for (Patch patch : patches) {
      for (int done = 0; done < patch.bytes().length(); ) {
        if (left <= EntryCodec.PATCH_HEAD_BYTES) {
          parts.add(part);
          part = new ArrayList<>();
          left = room;
        }
        int count = Math.min(patch.bytes().length() - done, left - EntryCodec.PATCH_HEAD_BYTES);
        part.add(new Patch(patch.offset() + done, patch.bytes().slice(done, count)));
        done += count;
        left -= count + EntryCodec.PATCH_HEAD_BYTES;
      }
    }
    parts.add(part);
    List<LogEntry.Fold> folds = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      folds.add(new LogEntry.Fold(replica, upTo, i, parts.size(), parts.get(i)));
    }
    return folds;
  }
}
