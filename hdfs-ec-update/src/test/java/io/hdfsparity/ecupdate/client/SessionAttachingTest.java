/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.wire.ActiveNameNode.ClosedConnection;
import io.hdfsparity.bridge.wire.NameNodeNotReadyException;
import io.hdfsparity.ecupdate.protocol.AttachRequest;
import io.hdfsparity.ecupdate.protocol.LeaseTimes;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.SessionFile;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionProtocol;
import io.hdfsparity.ecupdate.protocol.Sharing;
import io.hdfsparity.ecupdate.protocol.UpdateCode;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.updater.SessionOverException;
import io.hdfsparity.ecupdate.wire.SessionManagers;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

/** How a client continues at a NameNode that does not know its session, with one that is played. */
class SessionAttachingTest {
  private static final SessionId ID = new SessionId(42);
  private static final UpdateCode CODE = new UpdateCode("p", "rs", 1, 1, 64, Map.of());

  /** What the NameNode that is active says to an attempt. */
  private interface Attaching {
    SessionAnswer answer() throws IOException;
  }

  private final List<AttachRequest> attached = new ArrayList<>();
  private final List<String> calls = new ArrayList<>();
  private Attaching attaching = SessionAttachingTest::granted;
  private boolean isKnown = true;
  private int suspendedOpenings;

  private static SessionAnswer granted() {
    return new SessionAnswer.Granted(
        new UpdateSession(
            ID,
            new SessionFile("/f", 7, 64, "BP", CODE),
            List.of(),
            "PLR",
            0,
            new LeaseTimes(1000, 300),
            Sharing.SHARED));
  }

  private static SessionAnswer refused(RefusalKind kind) {
    return new SessionAnswer.Refused(kind.because("a", "b", "c", "/f"));
  }

  private SessionAnswer attach(AttachRequest request) throws IOException {
    attached.add(request);
    SessionAnswer answer = attaching.answer();
    isKnown = answer instanceof SessionAnswer.Granted;
    return answer;
  }

  private SessionAnswer answer(String method, Object[] args) throws IOException {
    calls.add(method);
    return switch (method) {
      case "open" -> suspendedOpenings-- > 0 ? refused(RefusalKind.SUSPENDED) : granted();
      case "attach" -> attach((AttachRequest) args[0]);
      case "locate" -> isKnown ? granted() : refused(RefusalKind.UNKNOWN_SESSION);
      case "renew" ->
          isKnown
              ? new SessionAnswer.Renewed(new LeaseTimes(1000, 300))
              : refused(RefusalKind.UNKNOWN_SESSION);
      case "close" -> isKnown ? new SessionAnswer.Closed() : refused(RefusalKind.UNKNOWN_SESSION);
      default -> throw new AssertionError(method);
    };
  }

  private SessionAnswer ask(ClosedConnection closed, SessionManagers.Call<SessionAnswer> call)
      throws IOException {
    return call.at(
        (SessionProtocol)
            Proxy.newProxyInstance(
                SessionProtocol.class.getClassLoader(),
                new Class<?>[] {SessionProtocol.class},
                (proxy, method, args) -> answer(method.getName(), args)));
  }

  private SessionHolder open() throws IOException {
    SessionHolder holder = SessionHolder.open(this::ask, new OpenRequest("/f", "test", 0));
    holder.attachable(() -> Set.of(-16L));
    return holder;
  }

  @Test
  void renewsAndLocatesAtTheNextNameNode() throws IOException {
    SessionHolder holder = open();
    isKnown = false;
    holder.renew();
    assertThat(attached)
        .containsExactly(
            new AttachRequest(
                ID, 7, "test", Sharing.SHARED, new AttachRequest.Form(CODE, Set.of(-16L), 0)));
    SessionHolder.KnownSession before = holder.known();
    isKnown = false;
    assertThat(holder.refreshed(before).version()).isGreaterThan(before.version());
    assertThat(attached).hasSize(2);
    holder.renew();
    assertThat(attached).hasSize(2);
    assertThat(holder.isOver()).isFalse();
  }

  @Test
  void triesAgainWhileTheNameNodeDoesNotKnowEnough() throws IOException {
    SessionHolder holder = open();
    isKnown = false;
    for (RefusalKind kind :
        List.of(RefusalKind.SUSPENDED, RefusalKind.NO_CAPABILITY, RefusalKind.MISSING_UNIT)) {
      attaching = () -> refused(kind);
      assertThatThrownBy(holder::renew)
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(SessionOverException.class)
          .hasMessageContaining(kind.word());
    }
    attaching = SessionAttachingTest::granted;
    holder.renew();
    assertThat(holder.isOver()).isFalse();
  }

  @Test
  void isOverWhenItCannotBeAttached() throws IOException {
    List<Attaching> all =
        List.of(
            () -> refused(RefusalKind.UNKNOWN_SESSION),
            () -> refused(RefusalKind.GONE),
            () -> {
              throw new AccessControlException("Permission denied");
            },
            () -> {
              throw new RpcNoSuchMethodException("attach");
            });
    for (Attaching each : all) {
      isKnown = true;
      SessionHolder holder = open();
      isKnown = false;
      attaching = each;
      assertThatThrownBy(holder::renew).isInstanceOf(SessionOverException.class);
      assertThat(holder.isOver()).isTrue();
    }
  }

  /** It reads by what it learned before, and nobody looks whether that still holds. */
  @Test
  void whoDoesNotSayWhatItUsesIsNotAttached() throws IOException {
    SessionHolder holder = SessionHolder.open(this::ask, new OpenRequest("/f", "test", 2));
    isKnown = false;
    assertThatThrownBy(holder::renew).isInstanceOf(SessionOverException.class);
    assertThat(attached).isEmpty();
  }

  @Test
  void oneThatReadsWithUnitsMissingSaysHowMany() throws IOException {
    SessionHolder holder = SessionHolder.open(this::ask, new OpenRequest("/f", "test", 255));
    holder.attachable(Set::of);
    isKnown = false;
    holder.renew();
    assertThat(attached)
        .extracting(AttachRequest::form)
        .containsExactly(new AttachRequest.Form(CODE, Set.of(), 255));
  }

  /** One that has timed out may have opened a session, which an exclusive one would wait for. */
  @Test
  void doesNotOpenAgainWhenThereWasNoAnswer() {
    SessionHolder.Manager absent =
        (closed, call) -> {
          calls.add("none");
          throw new NameNodeNotReadyException("nobody is active", null);
        };
    assertThatThrownBy(() -> SessionHolder.open(absent, new OpenRequest("/f", "test", 0)))
        .hasMessage("nobody is active");
    assertThat(calls).containsExactly("none");
  }

  /** A NameNode that has just become active first learns which sessions go before. */
  @Test
  void asksAgainToOpenWhileDataNodesHaveNotReported() throws IOException {
    suspendedOpenings = 2;
    open();
    assertThat(calls).containsExactly("open", "open", "open");
  }

  @Test
  void closesAtTheNextNameNode() throws IOException {
    SessionHolder holder = open();
    isKnown = false;
    holder.close();
    assertThat(calls).containsExactly("open", "close", "attach", "close");
    SessionHolder late = open();
    isKnown = false;
    attaching = () -> refused(RefusalKind.UNKNOWN_SESSION);
    late.close();
    assertThat(calls).endsWith("close", "attach");
  }
}
