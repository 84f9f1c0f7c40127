/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.client;

import io.hdfsparity.bridge.client.LostBlockReader;
import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.bridge.wire.ActiveNameNode;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.wire.NotLostException;
import io.hdfsparity.raidp.wire.RangeClientTranslator;
import io.hdfsparity.raidp.wire.ReadClientTranslator;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.RangeRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;

/**
 * Has DataNodes decode ranges of lost blocks: the active NameNode names some that can, and one of
 * these is asked by the block's token. It is asked for all ranges of the block, as long as it
 * answers: it keeps what it needs to decode the block. One that has no time for a range is asked
 * again, then another one is asked for this range only. Thread-safe.
 */
final class DegradedReads implements LostBlockReader {
  private static final int NAME_NODE_TIMEOUT_MS = 5_000;

  /** A range is read of all mirrors of a disk; those that are away cost a time limit each. */
  private static final int RANGE_TIMEOUT_MS = 60_000;

  private static final int MAX_ATTEMPTS = 5;

  /** How often a reader asks a decoder that has no time, before it asks another one. */
  private static final int MAX_BUSY = 2;

  /** After it nothing is tried again: Hadoop's own retries come next. */
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long FIRST_PAUSE_MS = 200;

  /** Of how many blocks the decoders are kept. */
  static final int MAX_BLOCKS = 1_000;

  private final Decoders decoders;
  private final Ranges ranges;

  /**
   * Decoders of blocks, each from the one that is to be asked now: those before it have failed. By
   * block id, least recently used first. Guarded by itself.
   */
  private final Map<Long, List<PeerAddress>> kept = new LinkedHashMap<>(16, 0.75f, true);

  /** Asks the active NameNode who decodes a block. */
  @FunctionalInterface
  interface Decoders {
    /** In the order in which they are to be asked; none: no disk is lost that could have it. */
    List<PeerAddress> find(String blockPoolId, long blockId) throws IOException;
  }

  /** Asks a decoder. */
  @FunctionalInterface
  interface Ranges {
    byte[] read(PeerAddress decoder, RangeRequest request) throws IOException;
  }

  DegradedReads(URI nameNode, Configuration conf) {
    this(
        (blockPoolId, blockId) -> find(nameNode, conf, blockPoolId, blockId),
        ranges(conf, new BlockTokenUsers()));
  }

  DegradedReads(Decoders decoders, Ranges ranges) {
    this.decoders = decoders;
    this.ranges = ranges;
  }

  @Override
  public int maxBytes() {
    return RangeRequest.MAX_BYTES;
  }

  @Override
  public Optional<byte[]> read(LocatedBlock block, long offset, int lengthBytes)
      throws IOException {
    RangeRequest request =
        new RangeRequest(block.getBlock(), block.getBlockToken(), offset, lengthBytes);
    IOException failure = new IOException("no DataNode was asked");
    long startNanos = System.nanoTime();
    int busy = 0;
    for (int attempt = 0;
        attempt < MAX_ATTEMPTS && System.nanoTime() - startNanos < DEADLINE_NANOS;
        attempt++) {
      if (attempt > 0) {
        pause(FIRST_PAUSE_MS << (attempt - 1));
      }
      try {
        Optional<PeerAddress> decoder = decoder(block.getBlock(), busy / MAX_BUSY);
        if (decoder.isEmpty()) {
          return Optional.empty();
        }
        return Optional.of(ask(decoder.get(), request));
      } catch (NotLostException e) {
        forget(block.getBlock());
        return Optional.empty();
      } catch (InvalidToken e) {
        throw e;
      } catch (RetriableException e) {
        busy++;
        failure = e;
      } catch (InterruptedIOException e) {
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
        failure = e;
      } catch (IOException e) {
        failure = e;
      }
    }
    throw new IOException(
        ErrorMessage.to("read a lost block by decoding it")
                .value("block", block.getBlock())
                .value("attempts", MAX_ATTEMPTS)
                .expected(
                    "Lstors of the failed disks and mirrors of their blocks that can be read; see"
                        + " hdfs raidp -status, start their daemons, and read again, or wait for"
                        + " hdfs raidp -recover")
                .where("offset", offset)
                .message()
            + ": "
            + failure.getMessage(),
        failure);
  }

  /**
   * Who decodes the block; the NameNode is asked where nobody is left who is known to.
   *
   * @param passed how many decoders have no time for this range
   */
  private Optional<PeerAddress> decoder(ExtendedBlock block, int passed) throws IOException {
    synchronized (kept) {
      List<PeerAddress> known = kept.get(block.getBlockId());
      if (known != null) {
        return Optional.of(known.get(passed % known.size()));
      }
    }
    List<PeerAddress> found = decoders.find(block.getBlockPoolId(), block.getBlockId());
    if (found.isEmpty()) {
      return Optional.empty();
    }
    synchronized (kept) {
      kept.put(block.getBlockId(), found);
      if (kept.size() > MAX_BLOCKS) {
        kept.remove(kept.keySet().iterator().next());
      }
    }
    return Optional.of(found.get(passed % found.size()));
  }

  private byte[] ask(PeerAddress decoder, RangeRequest request) throws IOException {
    try {
      return ranges.read(decoder, request);
    } catch (NotLostException | InvalidToken | RetriableException e) {
      // One that has no time for a moment has the block's tables; another would have to read them.
      throw e;
    } catch (IOException e) {
      // What one cannot reach, another may.
      pass(request.block(), decoder);
      throw e;
    }
  }

  /** Another reader of the block may have done so before. */
  private void pass(ExtendedBlock block, PeerAddress failed) {
    synchronized (kept) {
      kept.computeIfPresent(
          block.getBlockId(),
          (id, known) -> {
            List<PeerAddress> left = known.stream().filter(each -> !each.equals(failed)).toList();
            return left.isEmpty() ? null : left;
          });
    }
  }

  private void forget(ExtendedBlock block) {
    synchronized (kept) {
      kept.remove(block.getBlockId());
    }
  }

  private static List<PeerAddress> find(
      URI nameNode, Configuration conf, String blockPoolId, long blockId) throws IOException {
    return ActiveNameNode.call(
        NameNodeServers.ofOrOnly(conf, nameNode),
        server -> {
          server.shareToken();
          try (ReadClientTranslator manager =
              new ReadClientTranslator(server.address(), conf, NAME_NODE_TIMEOUT_MS)) {
            return manager.findDecoders(blockPoolId, blockId);
          }
        });
  }

  private static Ranges ranges(Configuration conf, BlockTokenUsers users) {
    return (decoder, request) -> {
      InetSocketAddress address = NetUtils.createSocketAddrForHost(decoder.host(), decoder.port());
      try (RangeClientTranslator client =
          new RangeClientTranslator(
              address, conf, user(users, request.token()), RANGE_TIMEOUT_MS)) {
        return client.readRange(request);
      }
    };
  }

  /** A task of a job has no ticket for DataNodes; as with Hadoop's own, the block token will do. */
  private static UserGroupInformation user(BlockTokenUsers users, Token<BlockTokenIdentifier> token)
      throws IOException {
    if (!UserGroupInformation.isSecurityEnabled() || token.getIdentifier().length == 0) {
      return UserGroupInformation.getCurrentUser();
    }
    return users.of(token, UserGroupInformation.getCurrentUser().getShortUserName());
  }

  private static void pause(long millis) throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("Cannot read a lost block: interrupted").initCause(e);
    }
  }
}
