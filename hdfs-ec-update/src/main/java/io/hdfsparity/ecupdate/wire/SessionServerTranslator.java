/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.MayCall;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionProtocol;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.AttachRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.CloseRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.GuardRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.GuardResponseProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.ListRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.ListResponseProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.LocateRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.NodesRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.NodesResponseProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.OpenRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.RenewRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.ReplaceRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.SessionAnswerProto;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Server side of {@link SessionProtocol}. Thread-safe. */
final class SessionServerTranslator implements UpdateSessionProtocolPB {
  private final SessionProtocol impl;

  SessionServerTranslator(SessionProtocol impl) {
    this.impl = impl;
  }

  @Override
  @MayCall(Caller.USERS)
  public SessionAnswerProto open(RpcController unused, OpenRequestProto request)
      throws ServiceException {
    return Calls.local(
        () -> SessionMessages.toProto(impl.open(SessionMessages.fromProto(request))));
  }

  @Override
  @MayCall(Caller.USERS)
  public SessionAnswerProto attach(RpcController unused, AttachRequestProto request)
      throws ServiceException {
    return Calls.local(
        () -> SessionMessages.toProto(impl.attach(SessionMessages.fromProto(request))));
  }

  @Override
  @MayCall(Caller.USERS)
  public SessionAnswerProto renew(RpcController unused, RenewRequestProto request)
      throws ServiceException {
    return Calls.local(() -> SessionMessages.toProto(impl.renew(new SessionId(request.getId()))));
  }

  @Override
  @MayCall(Caller.USERS)
  public SessionAnswerProto locate(RpcController unused, LocateRequestProto request)
      throws ServiceException {
    return Calls.local(
        () ->
            SessionMessages.toProto(
                impl.locate(
                    new SessionId(request.getId()),
                    request.getMissingUnits(),
                    request.hasWholeGroup()
                        ? OptionalLong.of(request.getWholeGroup())
                        : OptionalLong.empty())));
  }

  @Override
  @MayCall(Caller.USERS)
  public SessionAnswerProto close(RpcController unused, CloseRequestProto request)
      throws ServiceException {
    return Calls.local(() -> SessionMessages.toProto(impl.close(new SessionId(request.getId()))));
  }

  @Override
  @MayCall(Caller.USERS)
  public SessionAnswerProto replace(RpcController unused, ReplaceRequestProto request)
      throws ServiceException {
    return Calls.local(
        () ->
            SessionMessages.toProto(
                impl.replace(
                    new SessionId(request.getId()),
                    request.getGroupId(),
                    request.hasCopyPath() ? Optional.of(request.getCopyPath()) : Optional.empty(),
                    SessionMessages.healing(request))));
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public GuardResponseProto guard(RpcController unused, GuardRequestProto request)
      throws ServiceException {
    return Calls.local(() -> GuardResponseProto.newBuilder().setGuarded(impl.isGuarded()).build());
  }

  @Override
  @MayCall(Caller.USERS)
  public ListResponseProto list(RpcController unused, ListRequestProto request)
      throws ServiceException {
    return Calls.local(
        () -> {
          ListResponseProto.Builder b = ListResponseProto.newBuilder();
          impl.list(request.getAll()).forEach(each -> b.addSession(SessionMessages.toProto(each)));
          return b.build();
        });
  }

  @Override
  @MayCall(Caller.ADMINISTRATORS)
  public NodesResponseProto nodes(RpcController unused, NodesRequestProto request)
      throws ServiceException {
    return Calls.local(
        () -> {
          NodesResponseProto.Builder b = NodesResponseProto.newBuilder();
          impl.nodes().forEach(each -> b.addNode(NodeMessages.toProto(each)));
          return b.build();
        });
  }
}
