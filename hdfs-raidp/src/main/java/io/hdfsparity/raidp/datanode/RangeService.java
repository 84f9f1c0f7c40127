/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.wire.UserPermits;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.recovery.UndecodableException;
import io.hdfsparity.raidp.wire.NotLostException;
import io.hdfsparity.raidp.wire.RaidpRangeProtocol;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.LostBlock;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.RangeRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;

/**
 * Decodes ranges of lost blocks for clients that may read them: only verified bytes of the block
 * that was asked for leave the node. What the manager says of a block is kept for some seconds: its
 * ranges are read one after the other, and whoever asks again for a block that is not lost costs
 * neither the manager a call nor others a permit. Of the permits one user holds at most half
 * ({@link UserPermits}). Thread-safe.
 */
final class RangeService implements RaidpRangeProtocol {
  /** Each reads a range of every mirror of a disk. */
  static final int MAX_DECODES = 4;

  /** Half of them, so that others can read beside one user. */
  private static final int MAX_DECODES_OF_USER = MAX_DECODES / 2;

  /** How long an answer of the manager is used. */
  static final long ANSWER_LIFE_MS = 5_000;

  /** Each answer may name thousands of mirrors. */
  static final int MAX_ANSWERS = 16;

  /** Answers that name no Lstor: these are small. */
  static final int MAX_ANSWERS_WITHOUT_LSTORS = 10_000;

  private final String blockPoolId;
  private final Access access;
  private final LostBlocks lostBlocks;
  private final Ranges ranges;
  private final RangeCounters counters;
  private final UserPermits permits = new UserPermits(MAX_DECODES, MAX_DECODES_OF_USER);

  /** By block id. Answers by which a range was decoded. */
  private final ExpiringMap<Long, LostBlock> answers;

  /** By block id. Answers by which no range can be decoded, as they name no Lstor. */
  private final ExpiringMap<Long, LostBlock> withoutLstors;

  /** Decides who may read. */
  @FunctionalInterface
  interface Access {
    /**
     * Returns when the token lets its owner read the block.
     *
     * @return whom the NameNode has given the token; empty: the cluster has no block tokens
     * @throws InvalidToken when it does not
     */
    Optional<String> check(RangeRequest request) throws InvalidToken;
  }

  /** Asks the active manager. */
  @FunctionalInterface
  interface LostBlocks {
    LostBlock find(long blockId) throws IOException;
  }

  /** Decodes. */
  @FunctionalInterface
  interface Ranges {
    /**
     * Decodes a range.
     *
     * @return empty: no Lstor has a row of the block
     */
    Optional<byte[]> read(
        ExpectedBlock block, List<LstorSource> sources, long offset, int lengthBytes)
        throws IOException;
  }

  RangeService(
      String blockPoolId,
      Access access,
      LostBlocks lostBlocks,
      Ranges ranges,
      RangeCounters counters,
      Clock clock) {
    this.blockPoolId = blockPoolId;
    this.access = access;
    this.lostBlocks = lostBlocks;
    this.ranges = ranges;
    this.counters = counters;
    this.answers = new ExpiringMap<>(clock, ANSWER_LIFE_MS, MAX_ANSWERS);
    this.withoutLstors = new ExpiringMap<>(clock, ANSWER_LIFE_MS, MAX_ANSWERS_WITHOUT_LSTORS);
  }

  @Override
  public byte[] readRange(RangeRequest request) throws IOException {
    Optional<String> user;
    try {
      requireSane(request);
      user = access.check(request);
    } catch (IOException e) {
      counters.refused().increment();
      throw e;
    }
    Optional<LostBlock> known = withoutLstors.get(request.block().getBlockId());
    if (known.isPresent()) {
      counters.failed().increment();
      throw cannotDecode(request, known.get());
    }
    if (!permits.tryAcquire(user)) {
      counters.busy().increment();
      throw new RetriableException(
          message(
              "decodes",
              MAX_DECODES,
              "fewer at a time on this DataNode, and at most "
                  + MAX_DECODES_OF_USER
                  + " of one user; ask again, or another",
              request));
    }
    try {
      // Lstors and mirrors are read by the DataNode, whoever asked.
      byte[] bytes = SecurityUtil.doAsLoginUser(() -> decode(request));
      counters.decoded().increment();
      counters.bytes().add(bytes.length);
      return bytes;
    } catch (IOException | RuntimeException e) {
      counters.failed().increment();
      throw e;
    } finally {
      permits.release(user);
    }
  }

  private void requireSane(RangeRequest request) throws IOException {
    ExtendedBlock block = request.block();
    if (!block.getBlockPoolId().equals(blockPoolId)) {
      throw new IOException(
          ErrorMessage.to("decode a range of a lost block")
              .value("blockPool.length", block.getBlockPoolId().length())
              .expected(blockPoolId)
              .message());
    }
    if (request.count() < 1 || request.count() > RangeRequest.MAX_BYTES) {
      throw new IOException(
          message("count", request.count(), "1.." + RangeRequest.MAX_BYTES, request));
    }
    if (request.offset() < 0) {
      throw new IOException(message("offset", request.offset(), ">= 0", request));
    }
  }

  private byte[] decode(RangeRequest request) throws IOException {
    long blockId = request.block().getBlockId();
    LostBlock known = answers.get(blockId).orElse(null);
    if (known != null) {
      try {
        return decode(request, known);
      } catch (IOException e) {
        // Mirrors may be elsewhere by now, and the block another one.
        answers.remove(blockId);
      }
    }
    LostBlock lost = lostBlocks.find(blockId);
    if (lost.sources().isEmpty() && lost.unreadable().isEmpty()) {
      withoutLstors.put(blockId, lost);
      throw cannotDecode(request, lost);
    }
    byte[] bytes = decode(request, lost);
    answers.put(blockId, lost);
    return bytes;
  }

  /** Of an answer without any Lstor. */
  private static IOException cannotDecode(RangeRequest request, LostBlock lost) {
    try {
      requireExpected(request, lost);
    } catch (IOException e) {
      return e;
    }
    return new NotLostException(
        message(
            "Lstors",
            0,
            "one that the NameNode names: the block has enough replicas, or no superchunk lacks a"
                + " side; read a replica",
            request));
  }

  private static ExpectedBlock requireExpected(RangeRequest request, LostBlock lost)
      throws IOException {
    ExpectedBlock expected =
        lost.expected()
            .orElseThrow(
                () ->
                    new NotLostException(
                        message("block", "unknown", "one that the NameNode has", request)));
    if (!expected.complete()
        || expected.generationStamp() != request.block().getGenerationStamp()) {
      throw new IOException(
          message(
              "generationStamp",
              request.block().getGenerationStamp() + (expected.complete() ? "" : " being written"),
              expected.generationStamp() + " of a complete block; locate the block again",
              request));
    }
    return expected;
  }

  private byte[] decode(RangeRequest request, LostBlock lost) throws IOException {
    ExpectedBlock expected = requireExpected(request, lost);
    Optional<byte[]> bytes;
    try {
      bytes = ranges.read(expected, lost.sources(), request.offset(), request.count());
    } catch (IOException e) {
      throw lost.unreadable().isEmpty()
          ? e
          : new IOException(e.getMessage() + "; " + unreadable(lost), e);
    }
    if (bytes.isPresent()) {
      return bytes.get();
    }
    if (!lost.unreadable().isEmpty()) {
      throw new UndecodableException(
          message(
                  "rows",
                  0,
                  "one in an Lstor that can be read, if the block was protected",
                  request)
              + "; "
              + unreadable(lost));
    }
    throw new NotLostException(
        message("rows", 0, "one in the Lstor of a failed disk: no superchunk had it", request));
  }

  private static String unreadable(LostBlock lost) {
    return "nobody can read "
        + String.join("; ", lost.unreadable())
        + ": start the Lstor daemon there (hdfs --daemon start lstor), or bring the disk back";
  }

  private static String message(String name, Object value, String rule, RangeRequest request) {
    return ErrorMessage.to("decode a range of a lost block")
        .value(name, value)
        .expected(rule)
        .where("block", request.block())
        .where("offset", request.offset())
        .message();
  }
}
