/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.GuardedService;
import io.hdfsparity.bridge.wire.ServedProtocol;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RaidpAdminService;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RaidpLstorService;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RaidpNodeService;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RaidpPeerService;
import io.hdfsparity.raidp.wire.proto.RaidpReadProtos.RaidpRangeService;
import io.hdfsparity.raidp.wire.proto.RaidpReadProtos.RaidpReadService;
import java.io.IOException;
import org.apache.hadoop.security.authorize.Service;

/** The protocols of RAIDP, for the servers of daemons. Stateless. */
public final class RaidpProtocols {
  /** DataNodes and Lstor daemons to the manager. */
  public static final Service NODE =
      new Service("security.raidp.node.protocol.acl", RaidpNodeProtocolPB.class);

  /** Administrators to the manager. */
  public static final Service ADMIN =
      new Service("security.raidp.admin.protocol.acl", RaidpAdminProtocolPB.class);

  /** DataNodes and manager to a DataNode. */
  public static final Service PEER =
      new Service("security.raidp.peer.protocol.acl", RaidpPeerProtocolPB.class);

  /** DataNodes to an Lstor daemon. */
  public static final Service LSTOR =
      new Service("security.raidp.lstor.protocol.acl", RaidpLstorProtocolPB.class);

  /** Readers of lost blocks, and the DataNodes that decode for them, to the manager. */
  public static final Service READ =
      new Service("security.raidp.read.protocol.acl", RaidpReadProtocolPB.class);

  /** Readers of lost blocks to a DataNode. */
  public static final Service RANGE =
      new Service("security.raidp.range.protocol.acl", RaidpRangeProtocolPB.class);

  private RaidpProtocols() {}

  /** What answers partners, which a DataNode's server is started before. */
  @FunctionalInterface
  public interface PeerSource {
    /**
     * Finds it, for each call.
     *
     * @throws java.net.ConnectException when it is not in service
     */
    RaidpPeerProtocol get() throws IOException;
  }

  /** What decodes ranges, which a DataNode's server is started before. */
  @FunctionalInterface
  public interface RangeSource {
    /**
     * Finds it, for each call.
     *
     * @throws java.net.ConnectException when it is not in service
     */
    RaidpRangeProtocol get() throws IOException;
  }

  /** Readers of lost blocks at a manager. */
  public static ServedProtocol read(RaidpReadProtocol impl) {
    return new ServedProtocol(
        READ,
        GuardedService.of(
            RaidpReadService::newReflectiveBlockingService, new ReadServerTranslator(impl)));
  }

  /** Readers of lost blocks at a DataNode. */
  public static ServedProtocol range(RangeSource source) {
    return new ServedProtocol(
        RANGE,
        GuardedService.of(
            RaidpRangeService::newReflectiveBlockingService, new RangeServerTranslator(source)));
  }

  /** Reports to a manager. */
  public static ServedProtocol node(RaidpNodeProtocol impl) {
    return new ServedProtocol(
        NODE,
        GuardedService.of(
            RaidpNodeService::newReflectiveBlockingService, new NodeServerTranslator(impl)));
  }

  /** Administration of a manager. */
  public static ServedProtocol admin(RaidpAdminProtocol impl) {
    return new ServedProtocol(
        ADMIN,
        GuardedService.of(
            RaidpAdminService::newReflectiveBlockingService, new AdminServerTranslator(impl)));
  }

  /** Partners of a DataNode. */
  public static ServedProtocol peer(PeerSource source) {
    return new ServedProtocol(
        PEER,
        GuardedService.of(
            RaidpPeerService::newReflectiveBlockingService, new PeerServerTranslator(source)));
  }

  /** DataNodes of an Lstor daemon. */
  public static ServedProtocol lstor(RaidpLstorProtocol impl) {
    return new ServedProtocol(
        LSTOR,
        GuardedService.of(
            RaidpLstorService::newReflectiveBlockingService, new LstorServerTranslator(impl)));
  }
}
