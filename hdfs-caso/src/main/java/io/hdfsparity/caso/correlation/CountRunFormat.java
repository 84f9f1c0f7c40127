/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

import io.hdfsparity.caso.format.RecordFile;

/**
 * A sorted run of counts, a temporary file. Big-endian; the same words stand in
 * docs/formats/caso-counts.md.
 *
 * <pre>
 * header (HeaderFormat): magic "CASOCNTS", version 1, owner and payload empty
 * record (RecordFormat): magic 0x43434e54 "CCNT", sequence from 1 without gaps, payload: up to 4096
 *   entries, each of
 *   0       8      key        >= 0, higher than that of the entry before
 *   8       4      count      > 0
 * last record: no entry
 * </pre>
 *
 * <p>A file without its last record was cut, and nothing may follow it.
 */
final class CountRunFormat {
  static final RecordFile FILE = RecordFile.of("CASOCNTS", 0x43434e54, 4096 * 12);
  static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;
  static final int ENTRIES_PER_RECORD = FILE.maxPayloadBytes() / ENTRY_BYTES;

  private CountRunFormat() {}
}
