/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import static io.hdfsparity.ecupdate.wire.NoController.NONE;

import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.RpcProxies;
import io.hdfsparity.ecupdate.protocol.AttachRequest;
import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionProtocol;
import io.hdfsparity.ecupdate.protocol.SessionStatus;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.AttachRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.CloseRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.GuardRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.ListRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.LocateRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.NodesRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.OpenRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.RenewRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.ReplaceRequestProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;

/**
 * Client side of {@link SessionProtocol}, as the current user. Thread-safe.
 *
 * <p>{@link #close()} is of the connection, {@link #close(SessionId)} of a session.
 */
public final class SessionClient implements SessionProtocol, Closeable {
  private final UpdateSessionProtocolPB proxy;

  /**
   * @param timeoutMs of a call, connecting included
   */
  public SessionClient(InetSocketAddress manager, Configuration conf, int timeoutMs)
      throws IOException {
    proxy = RpcProxies.create(UpdateSessionProtocolPB.class, manager, conf, timeoutMs);
  }

  @Override
  public SessionAnswer open(OpenRequest request) throws IOException {
    OpenRequestProto message = SessionMessages.toProto(request);
    return SessionMessages.fromProto(Calls.remote(() -> proxy.open(NONE, message)));
  }

  @Override
  public SessionAnswer attach(AttachRequest request) throws IOException {
    AttachRequestProto message = SessionMessages.toProto(request);
    return SessionMessages.fromProto(Calls.remote(() -> proxy.attach(NONE, message)));
  }

  @Override
  public SessionAnswer renew(SessionId id) throws IOException {
    RenewRequestProto message = RenewRequestProto.newBuilder().setId(id.value()).build();
    return SessionMessages.fromProto(Calls.remote(() -> proxy.renew(NONE, message)));
  }

  @Override
  public SessionAnswer locate(SessionId id, int missingUnits, OptionalLong wholeGroup)
      throws IOException {
    LocateRequestProto.Builder message =
        LocateRequestProto.newBuilder().setId(id.value()).setMissingUnits(missingUnits);
    wholeGroup.ifPresent(message::setWholeGroup);
    return SessionMessages.fromProto(Calls.remote(() -> proxy.locate(NONE, message.build())));
  }

  @Override
  public SessionAnswer close(SessionId id) throws IOException {
    CloseRequestProto message = CloseRequestProto.newBuilder().setId(id.value()).build();
    return SessionMessages.fromProto(Calls.remote(() -> proxy.close(NONE, message)));
  }

  @Override
  public SessionAnswer replace(
      SessionId id, long groupId, Optional<String> copyPath, Optional<Healing> healing)
      throws IOException {
    ReplaceRequestProto message = SessionMessages.toProto(id, groupId, copyPath, healing);
    return SessionMessages.fromProto(Calls.remote(() -> proxy.replace(NONE, message)));
  }

  @Override
  public boolean isGuarded() throws IOException {
    GuardRequestProto message = GuardRequestProto.getDefaultInstance();
    return Calls.remote(() -> proxy.guard(NONE, message)).getGuarded();
  }

  @Override
  public List<SessionStatus> list(boolean all) throws IOException {
    ListRequestProto message = ListRequestProto.newBuilder().setAll(all).build();
    return Calls.remote(() -> proxy.list(NONE, message)).getSessionList().stream()
        .map(SessionMessages::fromProto)
        .toList();
  }

  @Override
  public List<UpdateNode> nodes() throws IOException {
    NodesRequestProto message = NodesRequestProto.getDefaultInstance();
    return Calls.remote(() -> proxy.nodes(NONE, message)).getNodeList().stream()
        .map(NodeMessages::fromProto)
        .toList();
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
