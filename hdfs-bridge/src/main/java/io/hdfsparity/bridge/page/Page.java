/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.page;

import java.util.List;

/**
 * All that {@code /parity} shows at a time. Immutable.
 *
 * @param features all parts, off or not
 * @param findings what is wrong, the worst first
 */
public record Page(
    Head head, List<Health> features, List<FoundKind> findings, List<PageSection> sections) {
  /**
   * Whose page it is.
   *
   * @param nameNode host and port of its RPC server
   * @param state active, standby or observer, as HDFS names them
   * @param software versions of the suite and of Hadoop
   * @param madeAtMs since the epoch
   * @param isComplete false: paths, owners and messages are left out
   * @param others web addresses of the other NameNodes of its nameservice
   */
  public record Head(
      String nameNode,
      String state,
      String software,
      long madeAtMs,
      boolean isComplete,
      List<String> others) {
    public Head {
      others = List.copyOf(others);
    }
  }

  /**
   * How a part of a feature is.
   *
   * @param reason a message; for administrators
   */
  public record Health(String part, String state, Tone tone, String reason) {}

  /**
   * Findings of one kind, as {@code hdfs parity doctor} has them.
   *
   * @param count how many there are
   * @param details of the first of them, with values; for administrators
   */
  public record FoundKind(
      String code, Tone tone, String meaning, String remedy, int count, List<String> details) {
    public FoundKind {
      details = List.copyOf(details);
    }
  }

  public Page {
    features = List.copyOf(features);
    findings = List.copyOf(findings);
    sections = List.copyOf(sections);
  }

  /** The worst of all: BAD, WARN or GOOD. */
  public Tone verdict() {
    boolean isBad =
        features.stream().anyMatch(each -> each.tone() == Tone.BAD)
            || findings.stream().anyMatch(each -> each.tone() == Tone.BAD)
            || hasFigure(Tone.BAD);
    boolean isDoubtful =
        features.stream().anyMatch(each -> each.tone() == Tone.WARN)
            || findings.stream().anyMatch(each -> each.tone() == Tone.WARN)
            || hasFigure(Tone.WARN);
    return isBad ? Tone.BAD : isDoubtful ? Tone.WARN : Tone.GOOD;
  }

  private boolean hasFigure(Tone tone) {
    return sections.stream()
        .flatMap(each -> each.figures().stream())
        .anyMatch(each -> each.tone() == tone);
  }

  /** Without paths, owners and messages. */
  public Page forEverybody() {
    return new Page(
        new Head(
            head.nameNode(),
            head.state(),
            head.software(),
            head.madeAtMs(),
            /* isComplete= */ false,
            head.others()),
        features.stream()
            .map(each -> new Health(each.part(), each.state(), each.tone(), /* reason= */ ""))
            .toList(),
        findings.stream()
            .map(
                each ->
                    new FoundKind(
                        each.code(),
                        each.tone(),
                        each.meaning(),
                        each.remedy(),
                        each.count(),
                        List.of()))
            .toList(),
        sections.stream().map(PageSection::forEverybody).toList());
  }
}
