/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.adoption.AdoptionGoal;
import io.hdfsparity.raidp.adoption.AdoptionProgress;
import io.hdfsparity.raidp.adoption.FileOutcome;
import io.hdfsparity.raidp.wire.message.AdoptRequest;
import io.hdfsparity.raidp.wire.message.ProtectRequest;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks.Mark;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks.Marked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers administrators about protected directories. The caller has checked that this NameNode is
 * active and that a superuser asks. Thread-safe.
 */
final class ProtectionCalls {
  private static final Logger LOG = LoggerFactory.getLogger(ProtectionCalls.class);
  private static final Set<String> NO_PLACES = Set.of(".snapshot", ".reserved");

  private static final int MIN_REPLICATION = 3;
  private static final Set<FileOutcome> NOT_ADOPTED =
      EnumSet.of(FileOutcome.NODE_REFUSES, FileOutcome.CHANGED);
  private static final Set<FileOutcome> NOT_RELEASED =
      EnumSet.of(
          FileOutcome.NODE_REFUSES,
          FileOutcome.CHANGED,
          FileOutcome.OPEN,
          FileOutcome.LACKS_REPLICAS,
          FileOutcome.STALE_REPORTS,
          FileOutcome.FEWER_IN_SNAPSHOT,
          FileOutcome.NO_QUOTA,
          FileOutcome.TOO_MANY_BLOCKS);

  private final Marks marks;
  private final Adoptions adoptions;
  private final Runs runs;
  private final Limits limits;
  private final Supplier<CoverageLeft> coverage;

  /**
   * Bounds.
   *
   * @param replication of a file that is given back its replicas, by default
   * @param maxReplication that the NameNode allows
   */
  record Limits(long unitBytes, int replication, int maxReplication) {}

  /** Marks of directories. */
  interface Marks {
    void set(String path, Mark mark) throws IOException;

    void clear(String path) throws IOException;

    /** Clears all that there are; returns how many. */
    int clearAll() throws IOException;

    Optional<Marked> of(String path) throws IOException;
  }

  /** Makes runs. */
  interface Runs {
    Adoptions.Maker of(String path, AdoptionGoal goal, long bytesPerSecond);

    Adoptions.Maker release(String path, int replication, long bytesPerSecond);
  }

  ProtectionCalls(
      Marks marks, Adoptions adoptions, Runs runs, Limits limits, Supplier<CoverageLeft> coverage) {
    this.marks = marks;
    this.adoptions = adoptions;
    this.runs = runs;
    this.limits = limits;
    this.coverage = coverage;
  }

  /** Changes the mark of a path. */
  TextResponse protect(ProtectRequest request) throws IOException {
    String path = checked("change the protection", request.path());
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    switch (request.change()) {
      case PROTECT -> marks.set(path, Mark.PROTECTED);
      case UNPROTECT -> unprotect(path);
      case UNPROTECT_ALL -> doc.put("cleared", marks.clearAll());
    }
    LOG.info("{} of {} by an administrator", request.change(), path);
    doc.put("path", path);
    putMark(doc, marks.of(path));
    coverage.get().put(doc.putObject("coverage"));
    return new TextResponse(doc.toString(), 0);
  }

  /** Clears the mark; where one above would count then, marks the path as plain. */
  private void unprotect(String path) throws IOException {
    marks.clear(path);
    if (marks.of(path).filter(above -> above.mark() == Mark.PROTECTED).isPresent()) {
      marks.set(path, Mark.PLAIN);
    }
  }

  /** Starts a run, joins one, or tells how far it is. */
  TextResponse adopt(AdoptRequest request) throws IOException {
    String path = checked("look at files", request.path());
    AdoptionGoal goal = AdoptionGoal.valueOf(request.goal().name());
    boolean joined = false;
    Optional<Marked> mark = marks.of(path);
    if (request.action() == AdoptRequest.Action.START) {
      if (goal == AdoptionGoal.ADOPT
          && mark.filter(each -> each.mark() == Mark.PROTECTED).isEmpty()) {
        throw new IOException(
            ErrorMessage.to("adopt files")
                .value("path", path)
                .expected("a protected path; first run hdfs raidp -protect")
                .message());
      }
      if (goal == AdoptionGoal.RELEASE
          && mark.filter(each -> each.mark() == Mark.PROTECTED).isPresent()) {
        throw new IOException(
            ErrorMessage.to("release files")
                .value("path", path)
                .expected("a path that is not protected; first run hdfs raidp -unprotect")
                .message());
      }
      long throttle = request.throttleBytesPerSecond().orElse(0);
      Adoptions.Maker run =
          goal == AdoptionGoal.RELEASE
              ? runs.release(path, replication(request), throttle)
              : runs.of(path, goal, throttle);
      joined = adoptions.start(path, goal, run);
    }
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    doc.put("path", path).put("goal", goal.name()).put("joined", joined);
    putMark(doc, mark);
    Optional<AdoptionProgress> progress = adoptions.progress(path, goal);
    doc.put("state", progress.map(each -> each.over() ? "DONE" : "RUNNING").orElse("GONE"));
    progress.ifPresent(each -> AdoptionDocuments.put(doc, each, limits.unitBytes()));
    coverage.get().put(doc.putObject("coverage"));
    return new TextResponse(doc.toString(), progress.map(each -> exitCode(each, goal)).orElse(0));
  }

  /** Without parity a file has at least three replicas, so that it is no worse off than with it. */
  private int replication(AdoptRequest request) throws IOException {
    int replication = request.replication().orElse(Math.max(MIN_REPLICATION, limits.replication()));
    if (replication < MIN_REPLICATION || replication > limits.maxReplication()) {
      throw new IOException(
          ErrorMessage.to("release files")
              .value("replication", replication)
              .expected(MIN_REPLICATION + " to " + limits.maxReplication())
              .message());
    }
    return replication;
  }

  /** Files that another run may adopt or release are a failure; so are those that stay covered. */
  private static int exitCode(AdoptionProgress progress, AdoptionGoal goal) {
    Set<FileOutcome> failures = goal == AdoptionGoal.RELEASE ? NOT_RELEASED : NOT_ADOPTED;
    return progress.over() && !Collections.disjoint(progress.files().keySet(), failures) ? -1 : 0;
  }

  private static void putMark(ObjectNode doc, Optional<Marked> mark) {
    doc.put("mark", mark.map(each -> each.mark().name()).orElse("NONE"));
    doc.put("markedPath", mark.map(Marked::path).orElse(""));
  }

  /** A path as the namespace names it. */
  private static String checked(String doing, String path) throws IOException {
    String trimmed =
        path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    if (trimmed.length() > HdfsServerConstants.MAX_PATH_LENGTH
        || !DFSUtil.isValidName(trimmed)
        || Arrays.stream(trimmed.split("/")).anyMatch(NO_PLACES::contains)) {
      throw new IOException(
          ErrorMessage.to(doing)
              .value("path", trimmed.substring(0, Math.min(trimmed.length(), 200)))
              .expected(
                  "an absolute path of at most "
                      + HdfsServerConstants.MAX_PATH_LENGTH
                      + " characters, without //, . and .., outside .snapshot and .reserved")
              .message());
    }
    return trimmed;
  }
}
