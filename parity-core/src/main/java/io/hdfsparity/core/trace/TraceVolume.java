/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.trace;

import java.util.OptionalLong;

/**
 * A volume that requests of a block trace are of: a disk of a host, or a file that updaters have
 * changed, see {@link UpdateTraceName}, whichever hosts they are on. Each has an address space of
 * its own. Immutable.
 *
 * @param host empty if it is a file
 * @param disk what stands in the field DiskNumber
 */
public record TraceVolume(String host, String disk) {
  /**
   * A DiskNumber from here on is an inode: HDFS gives no file a lower one, and hosts do not have as
   * many disks.
   */
  public static final long MIN_INODE = 16_386;

  /** Numbers of more digits are no inode that anybody has seen. */
  private static final int MAX_DIGITS = 18;

  /**
   * The volume of a line.
   *
   * @param hostAndDisk both fields of the line, and the comma between them
   */
  static TraceVolume of(String hostAndDisk) {
    int comma = hostAndDisk.indexOf(',');
    TraceVolume volume =
        new TraceVolume(
            hostAndDisk.substring(0, comma).strip(), hostAndDisk.substring(comma + 1).strip());
    return volume.inodeId().isPresent() ? new TraceVolume("", volume.disk) : volume;
  }

  /** DiskNumber, if it is one. */
  public OptionalLong diskNumber() {
    boolean isNumber = !disk.isEmpty() && disk.length() <= MAX_DIGITS;
    for (int i = 0; i < disk.length() && isNumber; i++) {
      isNumber = disk.charAt(i) >= '0' && disk.charAt(i) <= '9';
    }
    return isNumber ? OptionalLong.of(Long.parseLong(disk)) : OptionalLong.empty();
  }

  /** The file that was updated, if it is one. */
  public OptionalLong inodeId() {
    OptionalLong number = diskNumber();
    return number.orElse(0) >= MIN_INODE ? number : OptionalLong.empty();
  }

  /** As messages show it. */
  @Override
  public String toString() {
    return inodeId().isPresent() ? "inode " + disk : host + " disk " + disk;
  }
}
