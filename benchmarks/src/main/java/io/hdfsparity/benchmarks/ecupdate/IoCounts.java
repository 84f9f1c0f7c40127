/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What engines did in a phase, over all disks. Immutable.
 *
 * @param reads calls
 * @param writes calls
 * @param forces calls
 * @param readBytes of reads
 * @param writtenBytes of writes
 * @param jumps reads and writes that do not begin where the disk's last one has ended, in the order
 *     in which they were asked for
 * @param modelled what modelled disks did; seconds of the one that had most to do
 */
record IoCounts(
    long reads,
    long writes,
    long forces,
    long readBytes,
    long writtenBytes,
    long jumps,
    Disk.Served modelled) {
  static final IoCounts NONE = new IoCounts(0, 0, 0, 0, 0, 0, new Disk.Served(0, 0, 0));

  /** Counts, and asks the model. */
  static IoCounts of(Map<Path, List<Io>> disks, Disk model) {
    Map<String, Extents> places = new HashMap<>();
    IoCounts all = NONE;
    for (List<Io> accesses : disks.values()) {
      Disk.Served served =
          model.serve(
              accesses,
              file ->
                  places.computeIfAbsent(
                      file, name -> Fiemap.of(Path.of(name)).orElse(new Extents(List.of()))));
      all = all.plus(ofDisk(accesses, served));
    }
    return all;
  }

  /** Of one disk. */
  static IoCounts ofDisk(List<Io> accesses, Disk.Served served) {
    long reads = 0;
    long writes = 0;
    long forces = 0;
    long readBytes = 0;
    long writtenBytes = 0;
    for (Io io : accesses) {
      if (io.isForce()) {
        forces++;
      } else if (io.what() == 'R') {
        reads++;
        readBytes += io.lengthBytes();
      } else {
        writes++;
        writtenBytes += io.lengthBytes();
      }
    }
    return new IoCounts(reads, writes, forces, readBytes, writtenBytes, jumps(accesses), served);
  }

  /** Reads and writes that do not go on where the last one has ended. */
  static long jumps(List<Io> accesses) {
    long jumps = 0;
    String file = "";
    long end = -1;
    for (Io io : accesses) {
      if (!io.isForce()) {
        jumps += io.file().equals(file) && io.offset() == end ? 0 : 1;
        file = io.file();
        end = io.offset() + io.lengthBytes();
      }
    }
    return jumps;
  }

  /** Forces by the kind of file, an operation. */
  static Map<String, Double> forces(Map<Path, List<Io>> disks, double operations) {
    Map<String, Double> figures = new TreeMap<>();
    for (List<Io> accesses : disks.values()) {
      for (Io io : accesses) {
        if (io.isForce()) {
          figures.merge("forces of " + kind(io.file()) + "/op", 1 / operations, Double::sum);
        }
      }
    }
    return figures;
  }

  private static String kind(String file) {
    if (file.endsWith("/update.log")) {
      return "logs";
    }
    if (file.endsWith(".plr")) {
      return "reserved space";
    }
    if (file.endsWith(".meta")) {
      return "checksums";
    }
    return file.endsWith(".state") ? "states" : "blocks";
  }

  private IoCounts plus(IoCounts other) {
    return new IoCounts(
        reads + other.reads,
        writes + other.writes,
        forces + other.forces,
        readBytes + other.readBytes,
        writtenBytes + other.writtenBytes,
        jumps + other.jumps,
        modelled.beside(other.modelled));
  }

  /**
   * As figures.
   *
   * @param operations that they are of
   */
  Map<String, Double> figures(double operations) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("I/Os/op", (reads + writes) / operations);
    figures.put("reads/op", reads / operations);
    figures.put("writes/op", writes / operations);
    figures.put("forces/op", forces / operations);
    figures.put("read KB/op", readBytes / operations / 1e3);
    figures.put("written KB/op", writtenBytes / operations / 1e3);
    figures.put("jumps/op", jumps / operations);
    figures.put("MODEL accesses/op", modelled.accesses() / operations);
    figures.put("MODEL jumps/op", modelled.discontiguous() / operations);
    figures.put("MODEL disk s", modelled.seconds());
    figures.put(
        "MODEL ops/s", modelled.seconds() == 0 ? Double.NaN : operations / modelled.seconds());
    return figures;
  }
}
