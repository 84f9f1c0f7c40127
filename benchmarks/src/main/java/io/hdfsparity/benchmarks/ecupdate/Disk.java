/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A MODEL of a disk with an arm, fed by accesses in the order in which they were made. Reads are
 * served at once; writes lie in memory until their file is forced, and then go out sorted by place.
 * An access that begins where the last one has ended takes its transfer; any other one a seek by
 * distance (square root) and half a rotation before it. What is written first after a force has
 * missed its sector: half a rotation too, wherever it lies. One access at a time. What has no known
 * place costs an average seek.
 *
 * <p>Memory in front of it is as an operating system's, empty at first and never full: pages that
 * were read or written are not read again, and a read that continues where the last one of its file
 * has ended brings more of the file with it. Immutable.
 *
 * @param minSeekMs from a track to the next
 * @param averageSeekMs over all pairs of places
 * @param rotationMs of a whole turn
 * @param bytesPerMs transferred
 * @param sizeBytes over which the arm moves
 */
record Disk(
    double minSeekMs, double averageSeekMs, double rotationMs, double bytesPerMs, long sizeBytes) {
  /** Mean of the square root of the distance of two random places of [0, 1]. */
  private static final double MEAN_ROOT = 8.0 / 15;

  /**
   * 7,200 rpm and 1 TB as the paper's data disks, at the 144 MB/s that the paper measured; its
   * seeks are assumed as disks of that class have them.
   */
  static Disk ofPaper() {
    return new Disk(1, 8.5, 60_000.0 / 7200, 144_000, 1_000_000_000_000L);
  }

  /**
   * What accesses took.
   *
   * @param accesses served, forces not counted; writes that continue are one
   * @param discontiguous of them
   */
  record Served(double seconds, long accesses, long discontiguous) {
    /** Of two disks that serve at the same time. */
    Served beside(Served other) {
      return new Served(
          Math.max(seconds, other.seconds),
          accesses + other.accesses,
          discontiguous + other.discontiguous);
    }
  }

  /**
   * Serves accesses of one disk.
   *
   * @param places where files lie
   */
  Served serve(List<Io> accesses, Function<String, Extents> places) {
    DiskHead arm = new DiskHead(this);
    List<Placed> waiting = new ArrayList<>();
    Map<String, Pages> memory = new HashMap<>();
    for (Io io : accesses) {
      if (io.isForce()) {
        List<Placed> forced =
            waiting.stream().filter(write -> write.file().equals(io.file())).toList();
        waiting.removeAll(forced);
        arm.write(forced);
      } else {
        Pages pages = memory.computeIfAbsent(io.file(), file -> new Pages());
        Extents extents = places.apply(io.file());
        if (io.what() == 'R') {
          for (Pages.Run run : pages.read(io.offset(), io.lengthBytes())) {
            arm.serve(new Placed(io.file(), extents.place(run.offset()), run.lengthBytes()));
          }
        } else {
          pages.written(io.offset(), io.lengthBytes());
          waiting.add(new Placed(io.file(), extents.place(io.offset()), io.lengthBytes()));
        }
      }
    }
    arm.write(waiting);
    return new Served(arm.milliseconds / 1e3, arm.served, arm.jumps);
  }

  private record Placed(String file, OptionalLong place, long lengthBytes) {}

  private static final class DiskHead {
    private final Disk disk;
    private double milliseconds;
    private long served;
    private long jumps;
    private long at = -1;

    DiskHead(Disk disk) {
      this.disk = disk;
    }

    void write(List<Placed> batch) {
      List<Placed> sorted = new ArrayList<>(batch);
      sorted.sort(Comparator.comparingLong(write -> write.place().orElse(Long.MAX_VALUE)));
      boolean isFirst = true;
      for (Placed write : sorted) {
        if (isFirst && write.place().isPresent() && write.place().getAsLong() == at) {
          milliseconds += disk.rotationMs / 2;
        }
        isFirst = false;
        serve(write);
      }
    }

    void serve(Placed access) {
      OptionalLong place = access.place();
      boolean goesOn = place.isPresent() && place.getAsLong() == at;
      if (!goesOn) {
        jumps++;
        milliseconds += disk.rotationMs / 2;
        milliseconds +=
            place.isPresent() && at >= 0
                ? disk.seekMs(Math.abs(place.getAsLong() - at))
                : disk.averageSeekMs;
      }
      served++;
      milliseconds += access.lengthBytes() / disk.bytesPerMs;
      at = place.isPresent() ? place.getAsLong() + access.lengthBytes() : -1;
    }
  }

  /** Time of a seek over a distance. */
  double seekMs(long distanceBytes) {
    double longest = minSeekMs + (averageSeekMs - minSeekMs) / MEAN_ROOT;
    double share = Math.min(1, (double) distanceBytes / sizeBytes);
    return minSeekMs + (longest - minSeekMs) * Math.sqrt(share);
  }
}
