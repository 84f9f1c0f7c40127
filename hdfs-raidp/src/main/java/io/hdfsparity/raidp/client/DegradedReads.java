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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;

/**
 * Has DataNodes decode ranges of lost blocks: the active NameNode names some that can, and one of
 * these is asked by the block's token. Immutable, thread-safe.
 */
final class DegradedReads implements LostBlockReader {
  private static final int NAME_NODE_TIMEOUT_MS = 5_000;

  /** A range is read of all mirrors of a disk; those that are away cost a time limit each. */
  private static final int RANGE_TIMEOUT_MS = 60_000;

  private static final int MAX_ATTEMPTS = 5;

  /** After it nothing is tried again: Hadoop's own retries come next. */
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long FIRST_PAUSE_MS = 200;

  private final URI nameNode;
  private final Configuration conf;

  DegradedReads(URI nameNode, Configuration conf) {
    this.nameNode = nameNode;
    this.conf = conf;
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
    for (int attempt = 0;
        attempt < MAX_ATTEMPTS && System.nanoTime() - startNanos < DEADLINE_NANOS;
        attempt++) {
      if (attempt > 0) {
        pause(FIRST_PAUSE_MS << (attempt - 1));
      }
      try {
        List<PeerAddress> decoders = decoders(block.getBlock().getBlockPoolId());
        if (decoders.isEmpty()) {
          return Optional.empty();
        }
        // Another one each time: what one cannot reach, or has no time for, another may.
        PeerAddress decoder = decoders.get(attempt % decoders.size());
        return Optional.of(ask(decoder, request));
      } catch (NotLostException e) {
        return Optional.empty();
      } catch (InvalidToken e) {
        throw e;
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

  private List<PeerAddress> decoders(String blockPoolId) throws IOException {
    return ActiveNameNode.call(
        NameNodeServers.ofOrOnly(conf, nameNode),
        server -> {
          server.shareToken();
          try (ReadClientTranslator manager =
              new ReadClientTranslator(server.address(), conf, NAME_NODE_TIMEOUT_MS)) {
            return manager.findDecoders(blockPoolId);
          }
        });
  }

  private byte[] ask(PeerAddress decoder, RangeRequest request) throws IOException {
    InetSocketAddress address = NetUtils.createSocketAddrForHost(decoder.host(), decoder.port());
    try (RangeClientTranslator client =
        new RangeClientTranslator(address, conf, user(request.token()), RANGE_TIMEOUT_MS)) {
      return client.readRange(request);
    }
  }

  /** A task of a job has no ticket for DataNodes; as with Hadoop's own, the block token will do. */
  private static UserGroupInformation user(Token<BlockTokenIdentifier> token) throws IOException {
    if (!UserGroupInformation.isSecurityEnabled() || token.getIdentifier().length == 0) {
      return UserGroupInformation.getCurrentUser();
    }
    UserGroupInformation user =
        UserGroupInformation.createRemoteUser(
            UserGroupInformation.getCurrentUser().getShortUserName());
    user.addToken(token);
    return user;
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
