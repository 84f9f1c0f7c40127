/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.ipc.CallerContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallerAbilitiesTest {
  @AfterEach
  void forget() {
    CallerContext.setCurrent(null);
  }

  private static CallerContext context(String text) {
    return new CallerContext.Builder(text).build();
  }

  @Test
  void aStatementIsAddedBehindWhatIsThereAndTakenBack() {
    CallerContext ofJob =
        new CallerContext.Builder("mr_attempt_1,user:somebody")
            .setSignature(new byte[] {1, 2})
            .build();
    CallerContext.setCurrent(ofJob);
    try (CallerAbilities.Statement ignored = CallerAbilities.state(CallerAbilities.ORDERS)) {
      assertThat(CallerContext.getCurrent().getContext())
          .isEqualTo("mr_attempt_1,user:somebody,hdfsparity:orders");
      assertThat(CallerContext.getCurrent().getSignature()).containsExactly(1, 2);
      try (CallerAbilities.Statement again = CallerAbilities.state(CallerAbilities.ORDERS)) {
        assertThat(again).isNotNull();
      }
      assertThat(CallerAbilities.knowsOrders(CallerContext.getCurrent())).isTrue();
      try (CallerAbilities.Statement more = CallerAbilities.state(CallerAbilities.codec("izs"))) {
        assertThat(more).isNotNull();
        assertThat(CallerContext.getCurrent().getContext())
            .endsWith(",hdfsparity:orders,hdfsparity:codec.izs");
      }
    }
    assertThat(CallerContext.getCurrent()).isSameAs(ofJob);
  }

  @Test
  void severalAreStatedOnceEach() {
    List<String> both = List.of(CallerAbilities.ORDERS, CallerAbilities.codec("izs"));
    try (CallerAbilities.Statement one = CallerAbilities.state(CallerAbilities.ORDERS);
        CallerAbilities.Statement all = CallerAbilities.state(both);
        CallerAbilities.Statement none = CallerAbilities.state(List.of())) {
      assertThat(List.of(one, all, none)).hasSize(3);
      assertThat(CallerContext.getCurrent().getContext())
          .isEqualTo("hdfsparity:orders,hdfsparity:codec.izs");
    }
    assertThat(CallerContext.getCurrent()).isNull();
  }

  @Test
  void aThreadWithoutContextHasNoneAfterwards() {
    try (CallerAbilities.Statement ignored = CallerAbilities.state(CallerAbilities.ORDERS)) {
      assertThat(CallerContext.getCurrent().getContext()).isEqualTo("hdfsparity:orders");
      // Threads that are started meanwhile state it, too.
      assertThat(
              CompletableFuture.supplyAsync(
                      () -> CallerAbilities.knowsOrders(CallerContext.getCurrent()),
                      task -> new Thread(task).start())
                  .join())
          .isTrue();
    }
    assertThat(CallerContext.getCurrent()).isNull();
  }

  /** A job may set its context while a stream of it is open. */
  @Test
  void aContextThatWasSetMeanwhileStays() {
    CallerContext later = context("later");
    try (CallerAbilities.Statement ignored = CallerAbilities.state(CallerAbilities.ORDERS)) {
      CallerContext.setCurrent(later);
    }
    assertThat(CallerContext.getCurrent()).isSameAs(later);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hdfsparity:orders",
        "job_1,hdfsparity:orders",
        "job_1;hdfsparity:orders;x",
        "hdfsparity:orders,clientIp:1.2.3.4,clientPort:5",
        "hdfsparity:ordersX,hdfsparity:orders"
      })
  void anEntryIsFoundWhateverSeparatesIt(String text) {
    assertThat(CallerAbilities.knowsOrders(context(text))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "job_1",
        "hdfsparity:",
        "hdfsparity:orders2",
        "hdfsparity:orders.none",
        "nothdfsparity:orders",
        "x:hdfsparity:orders",
        "hdfsparity:codec.izs",
        "HDFSPARITY:ORDERS"
      })
  void whatOnlyLooksLikeAnEntryIsNone(String text) {
    assertThat(CallerAbilities.knowsOrders(context(text))).isFalse();
  }

  @Test
  void nobodyStatesNothing() {
    assertThat(CallerAbilities.knowsOrders(null)).isFalse();
    assertThat(CallerAbilities.knowsOrders(context(""))).isFalse();
    assertThat(
            CallerAbilities.isStated(context("hdfsparity:codec.izs"), CallerAbilities.codec("iz")))
        .isFalse();
    assertThat(
            CallerAbilities.isStated(context("hdfsparity:codec.izs"), CallerAbilities.codec("izs")))
        .isTrue();
  }
}
