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
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** {@code hdfs ecupdate -write}: bytes over those of a file. */
final class WriteCommand extends ConsoleCommand {
  private static final String OFFSET = "-offset";
  private static final String FROM = "-from";
  private static final int PIECE_BYTES = 1 << 20;

  private final InputStream in;
  private final UpdaterOpener opener;

  WriteCommand(Console console, InputStream in, UpdaterOpener opener) {
    super(
        console,
        "-write",
        "<path> -offset N [-from FILE] [-json]",
        """
    Writes bytes over those of a closed erasure-coded file; its length stays. They are durable when
    the command ends with exit code 0; after an error any part of them may have been written. Block
    groups that are used are admitted to updates, for good. What stock readers are refused from
    then on: docs/reference/ecupdate-datanode.md.
    -offset N     where the first byte goes, in bytes; 64K, 7G and the like are understood
    -from FILE    local file whose bytes are written; without it standard input, to its end. A file
                  that reaches over the end is refused before anything is written; with standard
                  input what lies before the end may have been written.
    """);
    this.in = in;
    this.opener = opener;
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(args, Set.of(Console.JSON), Set.of(OFFSET, FROM), List.of("path"));
    long offset = Values.position(a, OFFSET);
    Optional<Path> from =
        a.value(FROM).isPresent()
            ? Optional.of(LocalPaths.parse(a.value(FROM).get()))
            : Optional.empty();
    long begunNanos = System.nanoTime();
    long bytes;
    try (InputStream source = from.isPresent() ? Files.newInputStream(from.get()) : in;
        StripedFileUpdater file =
            opener.open(console.conf(), Values.remote(a.operand(0)), UpdaterOptions.standard());
        Progress progress = new Progress(console.err())) {
      checkEnd(file, offset, from.isPresent() ? Files.size(from.get()) : 0);
      bytes = copy(source, file, offset, progress);
      file.flush();
    }
    ObjectNode doc =
        JsonNodeFactory.instance
            .objectNode()
            .put("path", a.operand(0))
            .put("offset", offset)
            .put("bytes", bytes)
            .put("elapsedMs", (System.nanoTime() - begunNanos) / 1_000_000);
    console.print(
        doc,
        a,
        (d, out) ->
            out.printf(
                Locale.ROOT,
                "%,d bytes written at offset %,d of %s%n",
                d.path("bytes").asLong(),
                d.path("offset").asLong(),
                d.path("path").asText()));
    return 0;
  }

  private static void checkEnd(StripedFileUpdater file, long offset, long bytes)
      throws IOException {
    if (offset > file.lengthBytes() - bytes) {
      throw new IOException(
          ErrorMessage.to("write in place")
              .value("offset", offset)
              .value("bytes", bytes)
              .expected("a range inside the file, length=" + file.lengthBytes())
              .message());
    }
  }

  private static long copy(
      InputStream source, StripedFileUpdater file, long offset, Progress progress)
      throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    long done = 0;
    for (int there = source.readNBytes(piece, 0, piece.length);
        there > 0;
        there = source.readNBytes(piece, 0, piece.length)) {
      // Pipelined; what becomes of it the flush at the end says.
      file.writeAsync(offset + done, ByteBuffer.wrap(piece, 0, there));
      done += there;
      progress.count("writing", done, "bytes");
    }
    return done;
  }
}
