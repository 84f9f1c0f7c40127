/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.trace;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.store.PrivateFiles;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.ByteRequest;
import io.hdfsparity.core.trace.UpdateTraceName;
import io.hdfsparity.ecupdate.updater.AccessLog;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Notes the requests of one updater in files of its own, see {@link UpdateTraceName}. Time is that
 * of the clock, in ticks of 100 ns since 1601, as in the traces of MSR Cambridge.
 *
 * <p><b>Bounded</b>: a file ends before it is larger than it may be, and before the next one is
 * begun the oldest traces in the directory are deleted. So a directory has no more than its total,
 * and a file for each updater that is open.
 *
 * <p>Lines are buffered: what was noted last is lost when the process ends before {@link #close}.
 * After the first error nothing is noted any more, and a warning says so: requests never fail, nor
 * wait for more than a line to be written. Thread-safe.
 */
public final class UpdateTrace implements AccessLog {
  private static final System.Logger LOG = System.getLogger(UpdateTrace.class.getName());
  private static final int BUFFER_BYTES = 1 << 13;
  private static final long SECONDS_FROM_1601_TO_1970 = 11_644_473_600L;
  private static final long TICKS_A_SECOND = 10_000_000;
  private static final int NANOS_A_TICK = 100;
  private static final int MAX_HOST_CHARS = 60;

  private final Bounds bounds;
  private final Source source;
  private final Clock clock;
  private final TraceDirectory directory;
  private @Nullable OutputStream out;
  private long writtenBytes;
  private int part;
  private boolean hasEnded;

  /**
   * Where traces go, and how large they get.
   *
   * @param directory local; made when it is needed
   * @param fileBytes most of a file, > 0
   * @param totalBytes of all traces in the directory, at least twice {@code fileBytes}
   */
  public record Bounds(Path directory, long fileBytes, long totalBytes) {
    public Bounds {
      Checks.argument(fileBytes > 0, "trace updates", "fileBytes", fileBytes, "> 0");
      Checks.argument(
          totalBytes / 2 >= fileBytes,
          "trace updates",
          "totalBytes",
          totalBytes,
          "at least twice fileBytes=" + fileBytes);
    }
  }

  /**
   * Who updates what.
   *
   * @param inodeId of the file
   * @param host that the updater is on; other characters than those of names are replaced
   * @param unique of this updater, among all on all hosts: letters and digits
   */
  public record Source(long inodeId, String host, String unique) {
    private String hostWord() {
      String word = host.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
      return "h" + word.substring(0, Math.min(MAX_HOST_CHARS, word.length()));
    }

    private String writer() {
      return hostWord() + "-" + unique;
    }
  }

  /**
   * Nothing is written before the first request.
   *
   * @param clock of the requests
   */
  public UpdateTrace(Bounds bounds, Source source, Clock clock) {
    this.bounds = bounds;
    this.source = source;
    this.clock = clock;
    this.directory = new TraceDirectory(bounds.directory(), bounds.totalBytes());
  }

  @Override
  public void begun(Access access, long position, int lengthBytes) {
    if (lengthBytes == 0) {
      return;
    }
    String line =
        new ByteRequest(ticks(clock.instant()), access, position, lengthBytes)
            .line(source.hostWord(), source.inodeId());
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.US_ASCII);
    synchronized (this) {
      if (hasEnded) {
        return;
      }
      try {
        file(bytes.length).write(bytes);
        writtenBytes += bytes.length;
      } catch (IOException | RuntimeException e) {
        LOG.log(
            Level.WARNING,
            "Updates are not traced any more: " + e + ", directory=" + bounds.directory());
        end();
      }
    }
  }

  private static long ticks(Instant time) {
    return (time.getEpochSecond() + SECONDS_FROM_1601_TO_1970) * TICKS_A_SECOND
        + time.getNano() / NANOS_A_TICK;
  }

  private OutputStream file(int neededBytes) throws IOException {
    OutputStream current = out;
    if (current != null && writtenBytes + neededBytes <= bounds.fileBytes()) {
      return current;
    }
    if (current != null) {
      out = null;
      current.close();
    }
    directory.makeRoom(bounds.fileBytes());
    part++;
    String name = new UpdateTraceName(source.inodeId(), source.writer(), part).fileName();
    OutputStream next =
        new BufferedOutputStream(
            Channels.newOutputStream(
                PrivateFiles.open(
                    bounds.directory().resolve(name),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE)),
            BUFFER_BYTES);
    out = next;
    writtenBytes = 0;
    return next;
  }

  private void end() {
    hasEnded = true;
    OutputStream last = out;
    out = null;
    if (last != null) {
      try {
        last.close();
      } catch (IOException e) {
        LOG.log(Level.WARNING, "The end of a trace of updates is lost: " + e);
      }
    }
  }

  @Override
  public synchronized void close() {
    if (!hasEnded) {
      end();
    }
  }
}
