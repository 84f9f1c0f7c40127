/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.LocalPaths;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.ecupdate.updater.DegradedReader;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** {@code hdfs ecupdate -read}: bytes of a file, as those who update it see them. */
final class ReadCommand extends ConsoleCommand {
  private static final String OFFSET = "-offset";
  private static final String LENGTH = "-length";
  private static final String TO = "-to";
  private static final String DEGRADED = "-degraded";
  private static final int PIECE_BYTES = 1 << 20;

  private final UpdaterOpener opener;

  ReadCommand(Console console, UpdaterOpener opener) {
    super(
        console,
        "-read",
        "<path> -offset N -length L [-to FILE] [-degraded] [-json]",
        """
    Reads bytes of a file through an update session: what was written before is seen at once, and
    bytes that are being written are the old or the new ones. Needs the right to write the file,
    and admits the block groups to updates, as -write does; for all else read it as any file of HDFS.
    -offset N     first byte
    -length L     how many bytes; all of them must be inside the file
    -to FILE      new local file that gets them; without it standard output. Needed with -json.
    -degraded     a file of which units are missing, and which HDFS does not decode because a program
                  died while it wrote: what was written in place is computed from the units there
                  are. Slow. Nothing is repaired: write the bytes to a new file.
    """);
    this.opener = opener;
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(
            args, Set.of(Console.JSON, DEGRADED), Set.of(OFFSET, LENGTH, TO), List.of("path"));
    long offset = Values.position(a, OFFSET);
    long length = Values.position(a, LENGTH);
    Optional<Path> to =
        a.value(TO).isPresent()
            ? Optional.of(LocalPaths.parseNew(a.value(TO).get()))
            : Optional.empty();
    if (a.has(Console.JSON) && to.isEmpty()) {
      throw new UsageException(Console.JSON + " needs " + TO + ": standard output gets the bytes");
    }
    if (a.has(DEGRADED)) {
      try (DegradedReader file = opener.openDegraded(console.conf(), Values.remote(a.operand(0)))) {
        read(file.lengthBytes(), file::read, offset, length, to);
      }
    } else {
      try (StripedFileUpdater file =
          opener.openReadOnly(
              console.conf(), Values.remote(a.operand(0)), UpdaterOptions.standard())) {
        read(file.lengthBytes(), file::read, offset, length, to);
      }
    }
    if (to.isPresent()) {
      ObjectNode doc =
          JsonNodeFactory.instance
              .objectNode()
              .put("path", a.operand(0))
              .put("offset", offset)
              .put("bytes", length)
              .put("file", to.get().toString());
      console.print(
          doc,
          a,
          (d, out) ->
              out.printf(
                  Locale.ROOT,
                  "%,d bytes of %s from offset %,d are in %s%n",
                  d.path("bytes").asLong(),
                  d.path("path").asText(),
                  d.path("offset").asLong(),
                  d.path("file").asText()));
    }
    return 0;
  }

  /** Where bytes come from. */
  @FunctionalInterface
  private interface Source {
    void read(long position, ByteBuffer target) throws IOException;
  }

  private void read(long fileBytes, Source file, long offset, long length, Optional<Path> to)
      throws IOException {
    if (offset > fileBytes - length) {
      throw new IOException(
          ErrorMessage.to("read")
              .value("offset", offset)
              .value("length", length)
              .expected("a range inside the file, length=" + fileBytes)
              .message());
    }
    if (to.isPresent()) {
      try (OutputStream target =
          Files.newOutputStream(
              to.get(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        copy(file, offset, length, target::write);
      }
    } else {
      copy(file, offset, length, this::print);
    }
  }

  /** To a stream that keeps its errors to itself: who reads no more needs no more. */
  private void print(byte[] piece) throws IOException {
    console.out().write(piece);
    if (console.out().checkError()) {
      throw new IOException("Cannot print the bytes: the output was closed or is full");
    }
  }

  /** Takes bytes. */
  @FunctionalInterface
  private interface Target {
    void write(byte[] piece) throws IOException;
  }

  private static void copy(Source file, long offset, long length, Target target)
      throws IOException {
    for (long done = 0; done < length; ) {
      ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, length - done));
      file.read(offset + done, piece);
      target.write(piece.array());
      done += piece.capacity();
    }
  }
}
