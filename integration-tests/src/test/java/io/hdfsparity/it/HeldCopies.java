/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.net.InetAddress;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.datatransfer.TrustedChannelResolver;

/**
 * Holds copies that the NameNode has ordered between the DataNode's look at its replica, which has
 * been made, and its BlockSender, which takes the replica as it is then. HDFS asks there whether
 * the channel is trusted.
 */
public final class HeldCopies extends TrustedChannelResolver {
  private static final StackWalker WALKER = StackWalker.getInstance();
  private static volatile CountDownLatch released = new CountDownLatch(0);
  private static volatile CountDownLatch held = new CountDownLatch(0);

  /** Made by Hadoop, by name. */
  public HeldCopies() {}

  static void configure(Configuration conf) {
    conf.set(DFSConfigKeys.DFS_TRUSTEDCHANNEL_RESOLVER_CLASS, HeldCopies.class.getName());
  }

  /** From now on copies are held. */
  static void hold() {
    held = new CountDownLatch(1);
    released = new CountDownLatch(1);
  }

  static boolean isHeld() {
    return held.getCount() == 0;
  }

  static void release() {
    released.countDown();
  }

  @Override
  public boolean isTrusted(InetAddress peer) {
    if (isOrdered()) {
      held.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return super.isTrusted(peer);
  }

  /** A client's copy, for its pipeline, is waited for in a FutureTask. */
  private static boolean isOrdered() {
    return WALKER.walk(
            frames ->
                frames.anyMatch(each -> each.getClassName().endsWith("DataNode$DataTransfer")))
        && WALKER.walk(
            frames -> frames.noneMatch(each -> each.getClassName().endsWith(".FutureTask")));
  }
}
