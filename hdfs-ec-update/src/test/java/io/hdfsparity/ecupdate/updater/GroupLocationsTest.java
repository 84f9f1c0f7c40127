/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which version of a group an answer of the NameNode is about, whenever it comes. */
class GroupLocationsTest {
  private final SteppedFile file = new SteppedFile();
  private final List<Integer> restarted = new ArrayList<>();
  private final List<String> heard = new ArrayList<>();
  private final GroupLocations nodes =
      file.locations(
          new SteppedFile.NoUsers() {
            @Override
            public void restarted(int group, int version) {
              restarted.add(version);
            }

            @Override
            public void over(SessionOverException why) {
              heard.add("over: " + why.getMessage());
            }
          });

  private final NodeCalls.Listener listener =
      new NodeCalls.Listener() {
        @Override
        public void answered(Reply reply) {
          heard.add("answered");
        }

        @Override
        public void lost(String why) {
          heard.add("lost");
        }

        @Override
        public void failed(String why) {
          heard.add("failed");
        }

        @Override
        public void delayed(String why) {
          heard.add("delayed");
        }
      };

  @AfterEach
  void stop() {
    file.timers.shutdownNow();
  }

  private SteppedFile.Sent call() {
    nodes.call(SteppedFile.STRIPE, nodes.version(0), 1, new Request.Probe(), listener);
    List<SteppedFile.Sent> sent = file.take();
    assertThat(sent).hasSize(1);
    return sent.get(0);
  }

  @Test
  void whoWasFasterKnowsBetter() throws Exception {
    file.locateNextBy(
        () -> {
          StripeSession.Located old = file.located();
          nodes.require(0);
          file.replaceGroup();
          nodes.look(0);
          return old;
        });
    nodes.require(0);
    nodes.look(0);
    assertThat(restarted).containsExactly(1);
    assertThat(nodes.version(0)).isEqualTo(1);
    assertThat(call().groupId()).isEqualTo(2);
  }

  /** What is under way in other groups cannot end any more either. */
  @Test
  void aSessionThatIsOverWhenAGroupIsFirstUsedIsOverForAll() {
    file.locateNextBy(
        () -> {
          throw new SessionOverException("as planned");
        });
    assertThatThrownBy(() -> nodes.require(0)).isInstanceOf(SessionOverException.class);
    assertThat(heard).containsExactly("over: as planned");
  }

  @Test
  void aRefusalInTheSameGroupIsForGood() throws Exception {
    nodes.require(0);
    call().listener().failed("no such thing");
    assertThat(heard).containsExactly("failed");
  }

  @Test
  void aRefusalInAGroupThatWasWrittenAnewIsNotHeard() throws Exception {
    nodes.require(0);
    SteppedFile.Sent call = call();
    file.replaceGroup();
    call.listener().failed("no such thing");
    assertThat(heard).containsExactly("lost");
    assertThat(nodes.version(0)).isEqualTo(1);
  }

  @Test
  void aRefusalIsNotForGoodWhileNobodySaysWhereTheGroupIs() throws Exception {
    nodes.require(0);
    file.locateNextBy(
        () -> {
          throw new IOException("as planned");
        });
    call().listener().failed("no such thing");
    assertThat(heard).containsExactly("lost");
    call().listener().failed("no such thing");
    assertThat(heard).containsExactly("lost", "failed");
  }

  @Test
  void whatWasAskedBeforeARefusalSaysNothingOfIt() throws Exception {
    nodes.require(0);
    SteppedFile.Sent call = call();
    file.locateNextBy(
        () -> {
          StripeSession.Located old = file.located();
          file.replaceGroup();
          call.listener().failed("no such thing");
          assertThat(heard).isEmpty();
          return old;
        });
    nodes.look(0);
    assertThat(heard).containsExactly("lost");
    assertThat(nodes.version(0)).isEqualTo(1);
  }

  @Test
  void delaysOfAnEarlierVersionAskForNothing() throws Exception {
    nodes.require(0);
    SteppedFile.Sent call = call();
    file.replaceGroup();
    call.listener().delayed("nobody is there");
    assertThat(nodes.version(0)).isEqualTo(1);
    file.replaceGroup();
    call.listener().delayed("nobody is there");
    assertThat(nodes.version(0)).isEqualTo(1);
  }
}
