/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.caso;

import io.hdfsparity.caso.config.AnalysisOptions;
import io.hdfsparity.caso.correlation.CorrelationAnalysis;
import io.hdfsparity.caso.organize.GroupedOrganization;
import io.hdfsparity.caso.organize.HeldBackOrganizer;
import io.hdfsparity.caso.organize.Organization;
import io.hdfsparity.caso.organize.PaperGreedy;
import io.hdfsparity.caso.organize.Remainder;
import io.hdfsparity.caso.organize.SequentialOrganization;
import io.hdfsparity.caso.replay.TraceSplit;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Makes the organizations that are compared, with the options that {@code hdfs caso} has. */
final class Organizer {
  static final String BSO = "bso";
  static final String ALGORITHM_1 = "algorithm1";
  static final String DEFAULT = "default";
  static final List<String> NAMES = List.of(BSO, ALGORITHM_1, DEFAULT);

  /** Ticks of 100 ns: 1 ms, the windows of the paper's figures. */
  static final long DISTANCE_TICKS = 10_000;

  private static final int THRESHOLD = 2;

  private final long seed;
  private final AnalysisOptions options = AnalysisOptions.of(new Configuration());

  Organizer(long seed) {
    this.seed = seed;
  }

  /**
   * What was made.
   *
   * @param method that the default took
   */
  record OrganizeResult(Map<String, Organization> organizations, String method) {}

  OrganizeResult organize(TraceSplit split, int dataCells) throws IOException {
    CorrelationAnalysis analysis = options.analysis(THRESHOLD);
    GroupedOrganization greedy =
        new PaperGreedy(dataCells, Remainder.LAST_GROUP)
            .organize(analysis.analyse(split.analysed()));
    HeldBackOrganizer.Choice choice =
        new HeldBackOrganizer(dataCells, analysis, seed, options.search(), stage -> {})
            .organize(split.analysed(), split.analysedReads(), greedy);
    Map<String, Organization> organizations = new LinkedHashMap<>();
    organizations.put(BSO, new SequentialOrganization(dataCells));
    organizations.put(ALGORITHM_1, greedy);
    organizations.put(DEFAULT, choice.organization());
    return new OrganizeResult(organizations, choice.method().name());
  }
}
