/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.image;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The two files of a replica.
 *
 * @param blockId HDFS block id
 * @param generationStamp as the name of the checksum file says
 * @param data block file
 * @param meta checksum file
 */
public record ReplicaFiles(long blockId, long generationStamp, Path data, Path meta) {
  private static final Pattern DATA = Pattern.compile("blk_(-?\\d+)");
  private static final Pattern META = Pattern.compile("blk_(-?\\d+)_(\\d+)\\.meta");

  /** Files given by HDFS. */
  public static ReplicaFiles of(Path data, Path meta) throws ImageException {
    Matcher m = META.matcher(meta.getFileName().toString());
    if (!m.matches()) {
      throw new ImageException(
          "Cannot use replica: metaName="
              + meta.getFileName()
              + ", expected blk_<id>_<generation stamp>.meta, file="
              + meta);
    }
    return new ReplicaFiles(Long.parseLong(m.group(1)), Long.parseLong(m.group(2)), data, meta);
  }

  /** Whether the name is that of a block file. */
  public static boolean isData(Path file) {
    return DATA.matcher(file.getFileName().toString()).matches();
  }

  /** Whether the name is that of a checksum file. */
  public static boolean isMeta(Path file) {
    return META.matcher(file.getFileName().toString()).matches();
  }

  /** Generation stamp in the name of a checksum file; -1 if it is none. */
  static long stampOf(Path meta) {
    Matcher m = META.matcher(meta.getFileName().toString());
    return m.matches() ? Long.parseLong(m.group(2)) : -1;
  }

  /** Block id in the name of a block or checksum file. */
  public static long blockIdOf(Path file) {
    String name = file.getFileName().toString();
    Matcher data = DATA.matcher(name);
    if (data.matches()) {
      return Long.parseLong(data.group(1));
    }
    Matcher meta = META.matcher(name);
    if (meta.matches()) {
      return Long.parseLong(meta.group(1));
    }
    throw new IllegalArgumentException(
        "Cannot find block id: name=" + name + ", expected blk_<id>[_<gs>.meta]");
  }

  /** Whether it is still being written. */
  public boolean inFlux() {
    return !data.toString().contains("/" + FrameDirectory.FINALIZED + "/");
  }
}
