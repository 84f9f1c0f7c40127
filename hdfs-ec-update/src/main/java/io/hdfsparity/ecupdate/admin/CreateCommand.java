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
import io.hdfsparity.bridge.copy.CodedBlockSize;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.core.cli.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicyInfo;

/** {@code hdfs ecupdate -create}: a file of zeros, for block devices. */
final class CreateCommand extends ConsoleCommand {
  private static final String SIZE = "-size";
  private static final String POLICY = "-policy";
  private static final int PIECE_BYTES = 1 << 20;

  /** Of a sector: kernels know no part of one. */
  private static final int SECTOR_BYTES = 512;

  CreateCommand(Console console) {
    super(
        console,
        "-create",
        "<path> -size SIZE -policy POLICY [-json]",
        """
    Makes a closed erasure-coded file of zeros, as hdfs ecupdate -nbd serves it. The zeros are
    written: HDFS has no file that takes space without having been written. A file that could not be
    written to its end is deleted.
    -size SIZE      in bytes, a multiple of 512; 64K, 7G and the like are understood
    -policy POLICY  an erasure coding policy that is enabled (hdfs ec -listPolicies), of codec rs or
                    izs
    """);
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(args, Set.of(Console.JSON), Set.of(SIZE, POLICY), List.of("path"));
    long sizeBytes = Values.position(a, SIZE);
    if (sizeBytes == 0 || sizeBytes % SECTOR_BYTES != 0) {
      throw new UsageException(
          SIZE + "=" + a.value(SIZE).orElse("") + ", expected a multiple of " + SECTOR_BYTES);
    }
    String policy = a.value(POLICY).orElseThrow(() -> new UsageException(POLICY + " is missing"));
    Path path = Values.remote(a.operand(0));
    DistributedFileSystem fs = HdfsFiles.hdfs(path.getFileSystem(console.conf()), a.operand(0));
    ObjectNode doc =
        JsonNodeFactory.instance
            .objectNode()
            .put("path", a.operand(0))
            .put("bytes", sizeBytes)
            .put("policy", policy);
    try (Progress progress = new Progress(console.err())) {
      create(fs, path, sizeBytes, policy, progress);
      doc.put("elapsedMs", progress.elapsedMs());
    }
    console.print(
        doc,
        a,
        (d, out) ->
            out.printf(
                Locale.ROOT,
                "%s: %,d bytes of zeros, %s%n",
                d.path("path").asText(),
                d.path("bytes").asLong(),
                d.path("policy").asText()));
    return 0;
  }

  /** That of the configuration, in whole cells; of an unknown policy, HDFS says so. */
  private static long blockSize(DistributedFileSystem fs, Path path, String policy)
      throws IOException {
    long blockBytes = fs.getDefaultBlockSize(path);
    for (ErasureCodingPolicyInfo each : fs.getAllErasureCodingPolicies()) {
      if (each.getPolicy().getName().equals(policy)) {
        return CodedBlockSize.wholeCells(blockBytes, each.getPolicy().getCellSize());
      }
    }
    return blockBytes;
  }

  private static void create(
      DistributedFileSystem fs, Path path, long sizeBytes, String policy, Progress progress)
      throws IOException {
    // Whoever has made a file there before keeps it.
    OutputStream out =
        fs.createFile(path)
            .overwrite(false)
            .recursive()
            .ecPolicyName(policy)
            .blockSize(blockSize(fs, path, policy))
            .build();
    boolean isWritten = false;
    try {
      try (out) {
        byte[] piece = new byte[PIECE_BYTES];
        for (long done = 0; done < sizeBytes; ) {
          int step = (int) Math.min(piece.length, sizeBytes - done);
          out.write(piece, 0, step);
          done += step;
          progress.count("writing", done, "bytes");
        }
      }
      isWritten = true;
    } finally {
      if (!isWritten) {
        fs.delete(path, /* recursive= */ false);
      }
    }
  }
}
