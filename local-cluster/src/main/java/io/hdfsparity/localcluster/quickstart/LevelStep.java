/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.izs.config.LevelOptions;
import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.wire.LevelClient;
import io.hdfsparity.localcluster.quickstart.QuickstartException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;

/** Changes the level of files in place, as an administrator does. */
final class LevelStep {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private final Configuration conf;
  private final Screen screen;

  LevelStep(Configuration conf, Screen screen) {
    this.conf = conf;
    this.screen = screen;
  }

  /**
   * What was done.
   *
   * @param files changed
   * @param groups block groups of these
   * @param ms of all calls together
   */
  record Result(long files, long groups, long ms) {
    Result plus(long moreFiles, long moreGroups, long moreMs) {
      return new Result(files + moreFiles, groups + moreGroups, ms + moreMs);
    }
  }

  /**
   * Changes all; a refusal that ends by itself, as while a node comes back, is waited for.
   *
   * @throws QuickstartException naming a file that was refused to the end
   */
  Result run(int level, List<String> paths) throws QuickstartException, InterruptedException {
    List<String> left = new ArrayList<>(paths);
    AtomicReference<Result> sum = new AtomicReference<>(new Result(0, 0, 0));
    Optional<String> refused;
    try (LevelClient client = client()) {
      refused =
          Poll.until(
              TIMEOUT,
              screen::progress,
              () -> {
                sum.set(round(client, level, left, sum.get()));
                return left.isEmpty() ? Optional.empty() : Optional.of(lastRefusal);
              });
    } catch (IOException e) {
      throw new QuickstartException(
          Kind.CLUSTER, "Cannot ask the level manager: " + Texts.firstLine(e), e);
    }
    if (refused.isPresent()) {
      throw new QuickstartException(
          Kind.CLUSTER, left.size() + " files keep their level: " + refused.get());
    }
    return sum.get();
  }

  private String lastRefusal = "";

  private LevelClient client() throws IOException {
    return new LevelClient(
        LevelOptions.address(conf, "", ""), conf, LevelOptions.of(conf).adminTimeoutMs());
  }

  /** One call for each batch of files; those that are refused stay. */
  private Result round(LevelClient client, int level, List<String> left, Result before)
      throws QuickstartException {
    int batch = LevelOptions.of(conf).batchFiles();
    Result sum = before;
    List<String> refused = new ArrayList<>();
    try {
      while (!left.isEmpty()) {
        long begin = System.nanoTime();
        List<FileOutcome> outcomes =
            client.setLevel(level, List.copyOf(left.subList(0, Math.min(batch, left.size()))));
        long ms = (System.nanoTime() - begin) / 1_000_000;
        long groups = 0;
        long files = 0;
        for (FileOutcome outcome : outcomes) {
          left.remove(0);
          if (outcome.refusal().isPresent()) {
            refused.add(outcome.path());
            lastRefusal = outcome.refusal().get().reason();
          } else {
            groups += outcome.groups();
            files++;
          }
        }
        sum = sum.plus(files, groups, ms);
        screen.progress(sum.files() + " files changed, " + refused.size() + " refused for now");
      }
    } catch (IOException e) {
      throw new QuickstartException(
          Kind.CLUSTER, "Cannot change the level: " + Texts.firstLine(e), e);
    }
    left.addAll(refused);
    return sum;
  }
}
