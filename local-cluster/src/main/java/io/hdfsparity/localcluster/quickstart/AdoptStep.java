/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.size;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Takes a folder's files into superchunks, and waits until their third replicas are deleted. */
final class AdoptStep {
  private static final int ATTEMPTS = 3;
  private static final Duration DELETED_TIMEOUT = Duration.ofMinutes(2);

  private final Admin admin;
  private final Screen screen;
  private final Path dataDir;

  /**
   * @param dataDir with the data directories of all DataNodes
   */
  AdoptStep(Admin admin, Screen screen, Path dataDir) {
    this.admin = admin;
    this.screen = screen;
    this.dataDir = dataDir;
  }

  /**
   * Runs {@code raidp -protect FOLDER -adopt -progress}.
   *
   * @param sourceBytes of the files
   * @return bytes of replicas at the end
   * @throws QuickstartException when a file stays as it is, or its third replica is not deleted
   */
  long run(String folder, long sourceBytes)
      throws QuickstartException, InterruptedException, IOException {
    for (int attempt = 1; ; attempt++) {
      Admin.Answer answer =
          admin.run(screen::progress, "-protect %s -adopt -progress -json", folder);
      screen.keepProgress();
      JsonNode result = answer.requireJson();
      if (answer.exitCode() == 0) {
        break;
      }
      if (attempt == ATTEMPTS) {
        throw QuickstartException.cluster(
            "Not all files could be taken into superchunks: %s", result.path("files"));
      }
      screen.line("not complete (%s); again", result.path("files"));
    }
    long[] bytes = new long[1];
    Poll.await(
        "Third replicas were not deleted",
        DELETED_TIMEOUT,
        screen::progress,
        () -> {
          bytes[0] = replicaBytes();
          // Checksum files take less than a hundredth.
          if (bytes[0] > sourceBytes * 2 + sourceBytes / 50) {
            throw new Poll.NotYet(
                "%s of replicas for %s of files, expected two of each",
                size(bytes[0]), size(sourceBytes));
          }
        });
    return bytes[0];
  }

  private long replicaBytes() throws QuickstartException {
    try {
      return Machine.replicaBytes(dataDir);
    } catch (IOException e) {
      throw QuickstartException.cluster(e, "Cannot count replicas: %s", Texts.firstLine(e));
    }
  }
}
