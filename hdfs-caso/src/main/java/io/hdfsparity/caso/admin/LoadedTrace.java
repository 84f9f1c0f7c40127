/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.caso.admin.TraceArguments.Format;
import io.hdfsparity.caso.trace.AuditLogReader;
import io.hdfsparity.caso.trace.CellRequest;
import io.hdfsparity.caso.trace.FileCells;
import io.hdfsparity.caso.trace.MsrTraceReader;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.BadLine;
import io.hdfsparity.core.trace.BadLinePrinter;
import io.hdfsparity.core.trace.LineTraceReader;
import io.hdfsparity.core.trace.TraceFormatException;
import io.hdfsparity.core.trace.TraceVolume;
import io.hdfsparity.core.trace.TraceVolumes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.zip.ZipException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.io.compress.GzipCodec;
import org.jspecify.annotations.Nullable;

/**
 * A trace in memory, 20 bytes a request.
 *
 * @param cellEnd above the highest cell of any request
 * @param badLines lines left out
 * @param ignoredLines lines understood and without a request, or of volumes that were not asked for
 * @param volumes that the requests are of; none of an audit log
 * @param files names of the cells, if they are files
 */
record LoadedTrace(
    RequestTable writes,
    RequestTable reads,
    long cellEnd,
    long badLines,
    long ignoredLines,
    TraceVolumes volumes,
    Optional<FileCells> files) {
  private static final int PROGRESS_EVERY = 1 << 14;

  /**
   * Reads a file, or of it what has the DiskNumber that was asked for, or all that updaters have
   * noted of one file in a directory.
   *
   * @param maxFiles limit on the files of an audit log
   * @throws IOException naming file, line and reason
   */
  static LoadedTrace read(
      TraceArguments arguments, int maxFiles, Console console, Progress progress)
      throws IOException {
    // In a directory the names of the files say what they are of.
    Requests requests =
        new Requests(
            progress,
            new TraceVolumes(
                Files.isDirectory(arguments.source().file())
                    ? OptionalLong.empty()
                    : arguments.source().diskNumber()));
    if (arguments.source().format() == Format.MSR) {
      for (Path file : TraceFiles.of(arguments.source().file(), arguments.source().inodeId())) {
        read(
            file,
            console,
            (in, bad) -> {
              requests.add(
                  new MsrTraceReader(
                      in,
                      arguments.stripes().cellSizeBytes(),
                      arguments.source().badLines(),
                      bad,
                      requests.volumes));
            });
      }
      return requests.build(Optional.empty());
    }
    if (Files.isDirectory(arguments.source().file())) {
      throw new IOException(
          ErrorMessage.to("read trace")
              .value("file", arguments.source().file())
              .expected("a file, not a directory")
              .message());
    }
    FileCells files = new FileCells(maxFiles);
    read(
        arguments.source().file(),
        console,
        (in, bad) ->
            requests.add(new AuditLogReader(in, files, arguments.source().badLines(), bad)));
    return requests.build(Optional.of(files));
  }

  /** What is done with an open file. */
  @FunctionalInterface
  private interface Reading {
    void of(InputStream in, Consumer<BadLine> bad) throws IOException;
  }

  private static void read(Path file, Console console, Reading reading) throws IOException {
    try (InputStream in = open(file, console.conf())) {
      reading.of(in, new BadLinePrinter(file, console.err()));
    } catch (TraceFormatException e) {
      throw new IOException(e.getMessage() + " file=" + file, e);
    } catch (EOFException | ZipException e) {
      throw TraceFormatException.ofCompressed(file, e);
    } catch (NoSuchFileException | AccessDeniedException e) {
      throw new IOException(
          ErrorMessage.to("read trace")
              .value("file", file)
              .expected("a local file that can be read")
              .message(),
          e);
    }
  }

  private static InputStream open(Path file, Configuration conf) throws IOException {
    InputStream in = Files.newInputStream(file);
    @Nullable CompressionCodec codec =
        new CompressionCodecFactory(conf)
            .getCodec(new org.apache.hadoop.fs.Path("/" + file.getFileName()));
    // The readers find out themselves about gzip, whatever the name is.
    return codec == null || codec instanceof GzipCodec ? in : codec.createInputStream(in);
  }

  /** Collects what readers give. */
  private static final class Requests {
    private final Progress progress;
    private final TraceVolumes volumes;
    private final RequestTable.Builder writes = new RequestTable.Builder();
    private final RequestTable.Builder reads = new RequestTable.Builder();
    private long cellEnd;
    private long count;
    private long badLines;
    private long ignoredLines;

    Requests(Progress progress, TraceVolumes volumes) {
      this.progress = progress;
      this.volumes = volumes;
    }

    void add(LineTraceReader<CellRequest> reader) throws IOException {
      for (CellRequest next = reader.next(); next != null; next = reader.next()) {
        (next.access() == Access.WRITE ? writes : reads).add(next);
        cellEnd = Math.max(cellEnd, next.firstCell() + next.cellCount());
        count++;
        if (count % PROGRESS_EVERY == 0) {
          progress.count("reading the trace", count, "requests");
        }
      }
      badLines += reader.badLineCount();
      ignoredLines += reader.ignoredLineCount();
    }

    LoadedTrace build(Optional<FileCells> files) {
      progress.stage("sorting the trace by time");
      return new LoadedTrace(
          writes.build(), reads.build(), cellEnd, badLines, ignoredLines, volumes, files);
    }
  }

  /**
   * Refuses a trace without writes: it says nothing of updates.
   *
   * @throws IOException naming the file
   */
  LoadedTrace withWrites(TraceArguments arguments) throws IOException {
    if (writes.size() == 0) {
      ErrorMessage refusal =
          ErrorMessage.to("organize by a trace")
              .value("writes", 0)
              .value("reads", reads.size())
              .value("bad lines", badLines);
      if (volumes.otherRequests() > 0) {
        refusal
            .value("requests left out by -inode", volumes.otherRequests())
            .value("of", TraceVolumes.shown(volumes.others()));
      }
      throw new IOException(
          refusal.expected("at least one write").file(arguments.source().file()).message());
    }
    return this;
  }

  /**
   * Refuses a trace that is not of one file alone: addresses of one volume say nothing of another,
   * nor those of one file of another.
   *
   * @throws IOException naming the volumes
   */
  LoadedTrace ofOneFile(TraceArguments arguments) throws IOException {
    if (volumes.taken().size() > 1) {
      throw new IOException(
          ErrorMessage.to("organize by a trace")
              .value("volumes", volumes.taken().size())
              .value("they are", TraceVolumes.shown(volumes.taken()))
              .expected("one: split the trace, or say by -inode N which DiskNumber is the file's")
              .file(arguments.source().file())
              .message());
    }
    for (TraceVolume volume : volumes.taken()) {
      OptionalLong inodeId = volume.inodeId();
      if (inodeId.isPresent() && !inodeId.equals(arguments.source().inodeId())) {
        throw new IOException(
            ErrorMessage.to("organize by a trace")
                .value("inode of the trace", inodeId.getAsLong())
                .expected(
                    "that of the file, "
                        + arguments.source().inodeId().orElse(0)
                        + ", or -inode "
                        + inodeId.getAsLong()
                        + " where the file was that one before it was organized")
                .file(arguments.source().file())
                .message());
      }
    }
    return this;
  }

  /** What was read. */
  void describe(TraceArguments arguments, ObjectNode trace) {
    trace.put("file", arguments.source().file().toString());
    trace.put("format", arguments.source().format().name().toLowerCase(Locale.ROOT));
    trace.put("writes", writes.size()).put("reads", reads.size());
    trace.put("badLines", badLines).put("ignoredLines", ignoredLines);
    if (!volumes.taken().isEmpty()) {
      trace.put("volumes", volumes.taken().size());
      trace.put("requestsOfOtherVolumes", volumes.otherRequests());
    }
    files.ifPresent(f -> trace.put("files", f.count()));
  }
}
